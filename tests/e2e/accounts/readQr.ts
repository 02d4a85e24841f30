import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
// From this machine: by itself it would fetch the file from a public network.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } })

/** What a camera reads in a screenshot; `undefined` where it finds no QR code. */
export async function readQr(screenshot: Buffer): Promise<string | undefined> {
  const found = await readBarcodes(new Uint8Array(screenshot), { formats: ['QRCode'] })
  return found[0]?.text
}
