import type { Decode, Sighting } from '../../redemptions/camera/Decode.ts'

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

/** The browser's own reader, where it has one and that one knows both codes: some have the class and read nothing. */
export async function nativeDecode(): Promise<Decode | undefined> {
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
