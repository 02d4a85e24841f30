import * as v from 'valibot'
import { presign, type UploadKind } from '../../contract/uploads.ts'
import { logoFault } from '../../domain/logoRules.ts'
import { pictureOf } from '../uploads/picture.ts'

export type FileType = 'image/jpeg' | 'image/png' | 'application/pdf'

export type Inspection =
  | { is: 'good'; type: FileType; preview?: string }
  /** `mendable`: the cropper can make it right. Words of spec §5, to stand at the field. */
  | { is: 'refused'; message: string; mendable: boolean }

/** Another of the spec's messages whose words are not known (spec §5). */
export const IMAGE_LOAD_FAILED = 'The image could not be loaded. Choose another file.'

/** More than any logo needs; a decoder must not be fed with everything. */
const CROPPABLE_BYTES = 20_000_000

/** Everything about a file that can be known before the line is used. The server looks again, and deeper. */
export async function inspectFile(kind: UploadKind, file: Blob): Promise<Inspection> {
  const type = await typeOf(file)
  const announced = { kind, content_type: type ?? '', content_length: file.size }
  const fault = v.safeParse(presign.body, announced).issues?.[0]?.message
  if (kind === 'merchant_agreement' || type === undefined || type === 'application/pdf') return verdict(fault, type)
  if (file.size > CROPPABLE_BYTES) return verdict(fault, type)
  const picture = await pictureOf(file).catch(() => undefined)
  if (!picture) return verdict(IMAGE_LOAD_FAILED, type)
  const message = fault ?? logoFault(kind, picture)?.message
  return message === undefined
    ? { is: 'good', type, preview: picture.preview }
    : { is: 'refused', message, mendable: true }
}

const verdict = (message: string | undefined, type: FileType | undefined): Inspection =>
  message === undefined ? { is: 'good', type: type! } : { is: 'refused', message, mendable: false }

const SIGNATURES: readonly [FileType, readonly number[]][] = [
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
]

/** By its first bytes: a name proves nothing. A file that cannot be read any more is of no type. */
async function typeOf(file: Blob): Promise<FileType | undefined> {
  const head = await file
    .slice(0, 8)
    .arrayBuffer()
    .catch(() => new ArrayBuffer(0))
  const bytes = new Uint8Array(head)
  return SIGNATURES.find(([, signature]) => signature.every((byte, at) => bytes[at] === byte))?.[0]
}
