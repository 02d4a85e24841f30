import { bundledDecode } from './bundledDecode.ts'
import type { Decode, Sighting } from './Decode.ts'

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
