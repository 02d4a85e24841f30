import sharp from 'sharp'
import type { UploadKind } from '../../../src/contract/uploads.ts'
import { logoFault } from '../../../src/domain/merchants/uploadRules.ts'
import type { FileFacts } from '../../db/uploads.ts'
import { Refusal } from '../Refusal.ts'

// Of all the decoders in the library only these two ever see a stranger's bytes: no SVG, no GIF, no PDF.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: ['VipsForeignLoadJpegBuffer', 'VipsForeignLoadPngBuffer'] })
// Logos are rare and small; a cache would only keep memory.
sharp.cache(false)

/** A file that was looked into, with its bytes as they will be served. */
export type CheckedFile = FileFacts & { bytes: Uint8Array }

/** Told by the header, before anything is decoded: 4,096 by 4,096. A logo of 100 KB has no use for more. */
const MOST_PIXELS = 4_096 * 4_096

/**
 * The image in `bytes`, drawn anew: whatever else was in the file, metadata, comments, a second file behind the first, is not
 * in the answer. Throws Refusal INVALID_IMAGE for what is not one whole JPEG or PNG, or breaks a rule of its kind, with the
 * rule's words at `path` (rule 13.1, UPL-04, UPL-05).
 */
export async function validateImage(kind: LogoKind, bytes: Uint8Array, path: string): Promise<CheckedFile> {
  const { format, width, height, isPalette } = await header(bytes, path)
  if (!hasNothingBehindEnd(format, bytes)) throw invalidImage(path, 'whole', 'must be one image and nothing else')
  const fault = logoFault(kind, { width, height })
  if (fault) throw invalidImage(path, fault.rule, fault.message)
  try {
    const drawn = sharp(bytes, { limitInputPixels: MOST_PIXELS, failOn: 'warning' }).autoOrient()
    const encoded =
      format === 'png' ? drawn.png({ compressionLevel: 9, palette: isPalette }) : drawn.jpeg({ quality: 92 })
    return { bytes: await encoded.toBuffer(), contentType: `image/${format}`, width, height, pages: null }
  } catch {
    throw invalidImage(path, 'whole', 'is damaged')
  }
}

export type LogoKind = Exclude<UploadKind, 'merchant_agreement'>

async function header(bytes: Uint8Array, path: string) {
  const found = await sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => undefined)
  const { format, isPalette = false, autoOrient } = found ?? {}
  if ((format !== 'png' && format !== 'jpeg') || !autoOrient) throw invalidImage(path, 'type', 'must be JPEG or PNG')
  const { width, height } = autoOrient
  if (width * height > MOST_PIXELS) throw invalidImage(path, 'pixels', 'has too many pixels')
  return { format, isPalette, width, height } as const
}

/** A PNG's last chunk, a JPEG's last marker: behind them hides the second half of a polyglot. */
const LAST_BYTES = {
  png: Buffer.from([0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]),
  jpeg: Buffer.from([0xff, 0xd9]),
}

const hasNothingBehindEnd = (format: 'png' | 'jpeg', bytes: Uint8Array) =>
  LAST_BYTES[format].equals(bytes.subarray(-LAST_BYTES[format].length))

const invalidImage = (path: string, rule: string, message: string) =>
  new Refusal('INVALID_IMAGE', { fields: [{ path, rule, message }] })
