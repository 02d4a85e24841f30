import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { DecoderMessage, DecoderRequest, Sighting } from './Decode.ts'

// In a worker, so that the page stays smooth while a slow tablet reads.

const OPTIONS: ReaderOptions = {
  formats: ['EAN13', 'QRCode'],
  // Vouchers are dark on light; looking for the opposite takes twice the time.
  tryInvert: false,
  // A second voucher beside the first must be noticed.
  maxNumberOfSymbols: 4,
}

const post = (message: DecoderMessage) => self.postMessage(message)

// By default the library loads this file from a public CDN.
const ready = prepareZXingModule({ overrides: { locateFile: () => wasmUrl }, fireImmediately: true })
ready.then(
  () => post({ is: 'ready' }),
  (error: unknown) => post({ is: 'broken', why: String(error) }),
)

self.addEventListener('message', ({ data }: MessageEvent<DecoderRequest>) => {
  read(data).then(
    (sightings) => post({ is: 'read', id: data.id, sightings }),
    (error: unknown) => post({ is: 'failed', id: data.id, why: String(error) }),
  )
})

async function read({ pixels, width, height }: DecoderRequest): Promise<Sighting[]> {
  const found = await readBarcodes(new ImageData(pixels, width, height), OPTIONS)
  return found.map(({ format, text }) => ({ kind: format === 'EAN13' ? 'ean13' : 'qr', text }))
}
