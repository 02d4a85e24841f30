import { keepBarcodeReader } from '../../../offline/update/workerRegistration.ts'
import type { Decode, DecoderMessage, DecoderRequest, Sighting } from './Decode.ts'
// The bundler answers this query with an address; the file itself exports nothing.
// oxlint-disable-next-line import/default
import decoderUrl from './decoderWorker.ts?worker&url'

let decoder: Promise<Decode> | undefined

/**
 * The reader: the browser's own, else the bundled one. Made once for the tab; after a failure the next call makes a new one.
 * @throws Error when neither can be loaded.
 */
export function openDecoder(): Promise<Decode> {
  decoder ??= choose().then((decode) => (picture) => decode(picture).catch(forget), forget)
  return decoder
}

function forget(error: unknown): never {
  decoder = undefined
  throw error
}

async function choose(): Promise<Decode> {
  const native = await nativeDecode()
  return native ? untilItFails(native) : bundledDecode()
}

/** Some browsers offer both codes but lack the part of the system that reads them. */
function untilItFails(native: Decode): Decode {
  let bundled: Promise<Decode> | undefined
  return async (picture) => {
    if (!bundled) {
      try {
        return await native(picture)
      } catch {
        bundled = bundledDecode()
      }
    }
    return (await bundled)(picture)
  }
}

/** What TypeScript's own library does not know yet. */
interface BarcodeDetectorLike {
  detect(source: ImageData): Promise<{ format: string; rawValue: string }[]>
}

interface BarcodeDetectorClass {
  new (options: { formats: string[] }): BarcodeDetectorLike
  getSupportedFormats(): Promise<string[]>
}

const CODE_KINDS: Record<string, Sighting['kind']> = { ean_13: 'ean13', qr_code: 'qr' }

const FORMATS = Object.keys(CODE_KINDS)

/** The browser's own reader, if it has one that knows both codes. Some browsers have the class and read nothing. */
async function nativeDecode(): Promise<Decode | undefined> {
  const Detector = (globalThis as { BarcodeDetector?: BarcodeDetectorClass }).BarcodeDetector
  if (!Detector) return undefined
  const supported = await Detector.getSupportedFormats().catch((): string[] => [])
  if (!FORMATS.every((format) => supported.includes(format))) return undefined
  const detector = new Detector({ formats: FORMATS })
  return async (picture) =>
    (await detector.detect(picture)).flatMap(({ format, rawValue }) => {
      const kind = CODE_KINDS[format]
      return kind ? [{ kind, text: rawValue }] : []
    })
}

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
async function bundledDecode(): Promise<Decode> {
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
