import sharp, { type Sharp } from 'sharp'
import { sizeFault, type UploadKind } from '../../../src/contract/uploads.ts'
import { imageFault, logoFault } from '../../../src/domain/merchants/uploadRules.ts'
import type { FileFacts } from '../../db/uploads.ts'
import { Refusal } from '../Refusal.ts'

// Only these two decoders of the library may read a stranger's bytes: no SVG, GIF or PDF.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })
// Logos are rare and small, so a cache would only take memory.
sharp.cache(false)

/** A checked file, with the bytes that will be served. */
export type CheckedFile = FileFacts & { bytes: Uint8Array }

/** Compared with the size in the header, before anything is decoded. A logo of 100 KB needs no more pixels. */
const MOST_PIXELS = 4_096 * 4_096

/**
 * Returns the image in `bytes`, drawn anew, without anything else in the file: metadata, comments, a second file behind the first. Throws Refusal
 * INVALID_IMAGE unless the file is one complete JPEG or PNG that follows the rules of its kind; the message at `path` names the rule (rule 13.1,
 * UPL-04, UPL-05).
 */
export async function validateImage(kind: LogoKind, bytes: Uint8Array, path: string): Promise<CheckedFile> {
  const { width, height, ...kept } = await readHeader(bytes, path)
  const { format } = kept
  const fault = imageFault(bytes) ?? logoFault(kind, { width, height })
  if (fault) throw invalidImage(path, fault.rule, fault.message)
  const drawn = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'warning' }).autoOrient()
  let tooLarge: string | undefined
  for (const encoded of encodings(drawn, kept)) {
    const newBytes = await encoded.toBuffer().catch(() => undefined)
    if (!newBytes) throw invalidImage(path, 'whole', 'is damaged')
    tooLarge = sizeFault(kind, newBytes.byteLength)
    if (!tooLarge) return { bytes: newBytes, contentType: `image/${format}`, width, height, pages: null }
  }
  throw invalidImage(path, 'max_value', tooLarge!)
}

/** Yields encodings, best first. A strongly compressed file becomes larger when it is drawn anew, and may then exceed the limit. */
function* encodings(drawn: Sharp, { format, isPalette, bits }: KeptProperties): Generator<Sharp, void, void> {
  if (format === 'jpeg') {
    for (const quality of [92, 85, 75, 60, 45, 30, 15]) yield drawn.clone().jpeg({ quality })
    return
  }
  yield drawn.clone().png({ compressionLevel: 9, palette: isPalette })
  yield drawn.clone().png({ compressionLevel: 9, palette: isPalette, adaptiveFiltering: true })
  for (const colours of [2 ** Math.min(bits, 8), 64, 16])
    yield drawn.clone().png({ palette: true, effort: 10, colours })
}

/** The properties of a file that its new version keeps. */
interface KeptProperties {
  format: 'png' | 'jpeg'
  isPalette: boolean
  /** The bits of a colour sample, or of an index into the palette. */
  bits: number
}

export type LogoKind = Exclude<UploadKind, 'merchant_agreement'>

async function readHeader(bytes: Uint8Array, path: string) {
  const found = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  const { format, isPalette = false, bitsPerSample: bits = 8, autoOrient } = found ?? {}
  if ((format !== 'png' && format !== 'jpeg') || !autoOrient) throw invalidImage(path, 'type', 'must be JPEG or PNG')
  const { width, height } = autoOrient
  if (width * height > MOST_PIXELS) throw invalidImage(path, 'pixels', 'has too many pixels')
  return { format, isPalette, bits, width, height } as const
}

const invalidImage = (path: string, rule: string, message: string) =>
  new Refusal('INVALID_IMAGE', { fields: [{ path, rule, message }] })
