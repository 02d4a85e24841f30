import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'

const wasm = readFileSync(createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm'))
// Loads the file from this machine: by default the library fetches it from a public network.
prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } })

/** Reads the QR code in a screenshot, like a camera; `undefined` when it finds none. */
export async function readQr(screenshot: Buffer): Promise<string | undefined> {
  const found = await readBarcodes(new Uint8Array(screenshot), { formats: ['QRCode'] })
  return found[0]?.text
}
