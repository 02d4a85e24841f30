import { keepBarcodeReader } from '../../../offline/update/workerRegistration.ts'
import type { Decode, DecoderMessage, DecoderRequest, Sighting } from './Decode.ts'
// The bundler answers this query with an address; the file itself exports nothing.
// oxlint-disable-next-line import/default
import decoderUrl from './decoderWorker.ts?worker&url'
import { treat } from './treat.ts'

/** A reader of the browser that takes longer has stopped. */
const NATIVE_ANSWERS_MS = 2_000
/** Looks without a sighting, three seconds, after which it may be one that sees nothing. */
const BLIND_LOOKS = 30
/** On the slowest connection. Then the person is told, and may try again. */
const STARTS_MS = 60_000

let decoder: Promise<Decode> | undefined

/**
 * The reader: the browser's own, else the bundled one. Made once for the tab; after a failure the next call makes a new one.
 * @throws Error when neither can be loaded.
 */
export function openDecoder(): Promise<Decode> {
  decoder ??= choose().then((decode) => (picture, treatment) => decode(picture, treatment).catch(forget), forget)
  return decoder
}

function forget(error: unknown): never {
  decoder = undefined
  throw error
}

async function choose(): Promise<Decode> {
  const native = await nativeDecode()
  return native ? whileItSees(native) : bundledDecode()
}

/**
 * Some browsers offer both codes but lack the part of the system that reads them: it throws, never answers, or sees nothing. While it
 * has seen nothing for a few seconds, the bundled reader looks as well; what that one sees and it does not ends its use.
 */
function whileItSees(native: Decode): Decode {
  let bundled: Promise<Decode> | undefined
  let loaded: Decode | undefined
  let isBlind = false
  let emptyLooks = 0
  const load = () => (bundled ??= bundledDecode().then((decode) => (loaded = decode)))
  /** Nothing waits for it while the browser's own may still be good, which also works where this one cannot be loaded. */
  const loadBeside = () =>
    void load().catch(() => {
      bundled = undefined
      emptyLooks = 0
    })
  return async (picture, treatment) => {
    if (isBlind) return (await load())(picture, treatment)
    const seen = await within(NATIVE_ANSWERS_MS, native(picture, treatment)).catch(() => undefined)
    if (!seen) {
      isBlind = true
      return (await load())(picture, treatment)
    }
    emptyLooks = seen.length > 0 ? 0 : emptyLooks + 1
    if (emptyLooks < BLIND_LOOKS) return seen
    loadBeside()
    if (!loaded) return seen
    const sightings = await loaded(picture, treatment)
    isBlind = sightings.length > 0
    return sightings
  }
}

/** @throws Error when there is no answer in time. */
function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${ms} ms`)), ms)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
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
  return async ({ data, width, height }, treatment) => {
    // The pixels stay as they are, for the other reader.
    const own = { data: data.slice(), width, height }
    if (treatment) treat(own, treatment)
    const found = await detector.detect(new ImageData(own.data, width, height))
    return found.flatMap(({ format, rawValue }) => {
      const kind = CODE_KINDS[format]
      return kind ? [{ kind, text: rawValue }] : []
    })
  }
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
    await within(STARTS_MS, started(worker))
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
  return (picture, treatment) =>
    new Promise((resolve, reject) => {
      const request: DecoderRequest = { id: ++last, picture, treatment }
      waiting.set(request.id, { resolve, reject })
      worker.postMessage(request, [picture.data.buffer])
    })
}
