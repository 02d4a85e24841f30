import { prepareZXingModule } from 'zxing-wasm/reader'
import wasmUrl from 'zxing-wasm/reader/zxing_reader.wasm?url'
import type { DecoderMessage, DecoderRequest } from './Decode.ts'
import { readCodes } from './readCodes.ts'

// Runs in a worker, so that the page stays smooth while a slow tablet reads.

const post = (message: DecoderMessage) => self.postMessage(message)

loadReader().then(
  () => post({ is: 'ready' }),
  (error: unknown) => post({ is: 'broken', why: String(error) }),
)

/**
 * Loads the library's program from our server instead of a public CDN. Only giving the library our address is not enough: without a
 * connection it then writes four errors to the console and retries in a way that cannot work.
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

self.addEventListener('message', ({ data: { id, picture, treatment } }: MessageEvent<DecoderRequest>) => {
  readCodes(picture, treatment).then(
    (sightings) => post({ is: 'read', id, sightings }),
    (error: unknown) => post({ is: 'failed', id, why: String(error) }),
  )
})
