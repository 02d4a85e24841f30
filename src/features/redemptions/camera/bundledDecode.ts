import { keepBarcodeReader } from '../../../offline/update/workerRegistration.ts'
import type { Decode, DecoderMessage, DecoderRequest, Sighting } from './Decode.ts'
// The bundler answers this query with an address; the file itself exports nothing.
// oxlint-disable-next-line import/default
import decoderUrl from './decoderWorker.ts?worker&url'

interface Waiting {
  resolve: (sightings: Sighting[]) => void
  reject: (error: Error) => void
}

/** Trusted Types: the CSP allows one policy of this name. It gives out one address only. */
const makePolicy = () =>
  window.trustedTypes?.createPolicy('barcode-decoder', { createScriptURL: (_url: string) => decoderUrl })
let policy: ReturnType<typeof makePolicy>

function workerUrl() {
  policy ??= makePolicy()
  return policy?.createScriptURL('') ?? decoderUrl
}

/**
 * The reader that comes with the portal, in a worker of its own. Settles when it has everything it needs: from then on it works
 * without a connection, and the service worker keeps its files for the next start.
 * @throws Error when worker or WebAssembly cannot be loaded.
 */
export async function bundledDecode(): Promise<Decode> {
  const worker = new Worker(workerUrl() as string, { type: 'module' })
  try {
    await started(worker)
  } catch (error) {
    worker.terminate()
    throw error
  }
  keepBarcodeReader()
  return decodeIn(worker)
}

const started = (worker: Worker) =>
  new Promise<void>((resolve, reject) => {
    worker.addEventListener('error', () => reject(new Error('The barcode reader cannot be loaded')), { once: true })
    worker.addEventListener('message', ({ data }: MessageEvent<DecoderMessage>) => {
      if (data.is === 'ready') resolve()
      if (data.is === 'broken') reject(new Error(data.why))
    })
  })

function decodeIn(worker: Worker): Decode {
  const waiting = new Map<number, Waiting>()
  let last = 0
  worker.addEventListener('message', ({ data }: MessageEvent<DecoderMessage>) => {
    if (data.is !== 'read' && data.is !== 'failed') return
    const request = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.is === 'read') request?.resolve(data.sightings)
    else request?.reject(new Error(data.why))
  })
  // A worker that has crashed answers nothing any more.
  worker.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Error('The barcode reader stopped'))
    waiting.clear()
  })
  return ({ data: pixels, width, height }) =>
    new Promise((resolve, reject) => {
      const request: DecoderRequest = { id: ++last, pixels: pixels as DecoderRequest['pixels'], width, height }
      waiting.set(request.id, { resolve, reject })
      worker.postMessage(request, [request.pixels.buffer])
    })
}
