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

loadReader().then(
  () => post({ is: 'ready' }),
  (error: unknown) => post({ is: 'broken', why: String(error) }),
)

/**
 * By default the library loads its program from a public CDN. When told where ours is, it writes to the console four times that
 * the connection went, and tries again by a way that cannot help. So the program is loaded here.
 */
async function loadReader(): Promise<void> {
  const program = await WebAssembly.compileStreaming(fetch(wasmUrl))
  const instantiateWasm: Instantiate = (imports, done) => {
    const instance = new WebAssembly.Instance(program, imports)
    done(instance, program)
    return instance.exports
  }
  await prepareZXingModule({ overrides: { instantiateWasm }, fireImmediately: true })
}

type Instantiate = (
  imports: WebAssembly.Imports,
  done: (instance: WebAssembly.Instance, program: WebAssembly.Module) => void,
) => WebAssembly.Exports

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
