import { within } from '../../../domain/within.ts'
import { cacheFiles } from '../../../offline/update/workerRegistration.ts'
import type { Decode, DecoderMessage, DecoderRequest, Sighting } from './Decode.ts'
// The bundler answers this query with an address; the file itself exports nothing.
// oxlint-disable-next-line import/default
import decoderUrl from './decoderWorker.ts?worker&url'

/** Time for loading on the slowest connection. After it the cashier is told, and may try again. */
const STARTS_MS = 60_000

let decoder: Promise<Decode> | undefined

/**
 * Returns the reader that comes with the portal. It is made once for each tab; after a failure the next call makes a new one.
 * @throws Error when it cannot be loaded.
 */
export function openDecoder(): Promise<Decode> {
  decoder ??= loadDecoder().then((decode) => (picture, treatment) => decode(picture, treatment).catch(forget), forget)
  return decoder
}

function forget(error: unknown): never {
  decoder = undefined
  throw error
}

interface Waiting {
  resolve: (sightings: Sighting[]) => void
  reject: (error: Error) => void
}

/** The CSP allows one Trusted Types policy of this name. It returns only this address. */
const makePolicy = () =>
  window.trustedTypes?.createPolicy('barcode-decoder', { createScriptURL: (_url: string) => decoderUrl })
let policy: ReturnType<typeof makePolicy>

function workerUrl() {
  policy ??= makePolicy()
  return policy?.createScriptURL('') ?? decoderUrl
}

/**
 * Starts the reader in its own worker. Settles when the reader has everything it needs: from then on it works offline, and the
 * service worker keeps its files for the next start.
 */
async function loadDecoder(): Promise<Decode> {
  const worker = new Worker(workerUrl() as string, { type: 'module' })
  try {
    await within(STARTS_MS, started(worker), () => {
      throw new Error(`The barcode reader has not come within ${STARTS_MS} ms`)
    })
  } catch (error) {
    worker.terminate()
    throw error
  }
  void cacheFiles('barcode-reader')
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
  // A worker that has crashed answers nothing more.
  worker.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Error('The barcode reader stopped'))
    waiting.clear()
  })
  return (picture, treatment) =>
    new Promise((resolve, reject) => {
      const request: DecoderRequest = { id: ++last, picture, treatment }
      waiting.set(request.id, { resolve, reject })
      worker.postMessage(request, [picture.data.buffer])
    })
}
