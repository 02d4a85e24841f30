import { within } from '../../../domain/within.ts'
import { cacheFiles } from '../../../offline/update/workerRegistration.ts'
import type { Decode, DecoderMessage, DecoderRequest, Sighting } from './Decode.ts'
// The bundler answers this query with an address; the file itself exports nothing.
// oxlint-disable-next-line import/default
import decoderUrl from './decoderWorker.ts?worker&url'

/** Enough to load on the slowest connection. After this time the cashier is told, and may try again. */
const START_WITHIN_MS = 60_000

let decoder: Promise<Decode> | undefined

/**
 * Returns the reader that comes with the portal. A tab has one reader. After a failure the next call makes a new one.
 * @throws Error when it cannot be loaded.
 */
export function openDecoder(): Promise<Decode> {
  decoder ??= loadDecoder().then(
    (decode) => (picture, treatment) => decode(picture, treatment).catch(forgetDecoder),
    forgetDecoder,
  )
  return decoder
}

function forgetDecoder(error: unknown): never {
  decoder = undefined
  throw error
}

interface WaitingRequest {
  resolve: (sightings: Sighting[]) => void
  reject: (error: Error) => void
}

/** Makes the Trusted Types policy that the CSP allows under this name, once. The policy returns only the address of the worker. */
const makePolicy = () =>
  window.trustedTypes?.createPolicy('barcode-decoder', { createScriptURL: (_url: string) => decoderUrl })
let policy: ReturnType<typeof makePolicy>

function workerUrl() {
  policy ??= makePolicy()
  return policy?.createScriptURL('') ?? decoderUrl
}

/**
 * Starts the reader in its own worker, and resolves when it is ready. From then on it works offline: the service worker keeps its
 * files for the next start.
 */
async function loadDecoder(): Promise<Decode> {
  const worker = new Worker(workerUrl() as string, { type: 'module' })
  try {
    await within(START_WITHIN_MS, whenReady(worker), () => {
      throw new Error(`The barcode reader has not come within ${START_WITHIN_MS} ms`)
    })
  } catch (error) {
    worker.terminate()
    throw error
  }
  void cacheFiles('barcode-reader')
  return decodeIn(worker)
}

const whenReady = (worker: Worker) =>
  new Promise<void>((resolve, reject) => {
    worker.addEventListener('error', () => reject(new Error('The barcode reader cannot be loaded')), { once: true })
    worker.addEventListener('message', ({ data }: MessageEvent<DecoderMessage>) => {
      if (data.is === 'ready') resolve()
      if (data.is === 'broken') reject(new Error(data.why))
    })
  })

function decodeIn(worker: Worker): Decode {
  const waiting = new Map<number, WaitingRequest>()
  let lastId = 0
  worker.addEventListener('message', ({ data }: MessageEvent<DecoderMessage>) => {
    if (data.is !== 'read' && data.is !== 'failed') return
    const request = waiting.get(data.id)
    waiting.delete(data.id)
    if (data.is === 'read') request?.resolve(data.sightings)
    else request?.reject(new Error(data.why))
  })
  // A crashed worker never answers.
  worker.addEventListener('error', () => {
    for (const { reject } of waiting.values()) reject(new Error('The barcode reader stopped'))
    waiting.clear()
  })
  return (picture, treatment) =>
    new Promise((resolve, reject) => {
      const request: DecoderRequest = { id: ++lastId, picture, treatment }
      waiting.set(request.id, { resolve, reject })
      worker.postMessage(request, [picture.data.buffer])
    })
}
