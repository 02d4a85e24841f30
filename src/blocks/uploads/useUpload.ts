import { useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { putFile } from '../../api/putFile.ts'
import { presign, type Presigned, type UploadKind } from '../../contract/uploads.ts'
import { logoFault } from '../../domain/merchants/uploadRules.ts'
import { waitText } from '../../ui/form/formErrors.ts'
import { pictureOf } from './picture.ts'
import type { Upload } from './Upload.ts'

/** What is known of a file before it is sent. */
interface Announced<K extends UploadKind = UploadKind> {
  kind: K
  content_type: FileType
  /** Bytes. */
  content_length: number
  filename: string
}

/** Asks the server where to PUT the file. Throws ApiError. */
export type Presign<K extends UploadKind = UploadKind> = (
  announced: Announced<K>,
  signal: AbortSignal,
) => Promise<Presigned>

export type UploadStage =
  | { is: 'idle' }
  | { is: 'checking'; file: File }
  /** The file is not what is asked for; `mendable` by the cropper. */
  | { is: 'refused'; file: File; message: string; mendable: boolean }
  | { is: 'cropping'; file: File; message: string }
  | { is: 'sending'; file: File; sent: number }
  /** The file is good, the sending failed. */
  | { is: 'failed'; file: File; message: string; again: () => void }

interface Options<K extends UploadKind> {
  kind: K
  presign: Presign<K>
  onUploaded: (upload: Upload) => void
}

const IDLE: UploadStage = { is: 'idle' }

/** One upload: inspected, cropped if need be, sent. Leaving the screen aborts it; the form holds what has arrived. */
export function useUpload<K extends UploadKind>({ kind, presign, onUploaded }: Options<K>) {
  const [stage, setStage] = useState<UploadStage>(IDLE)
  const run = useRef<AbortController>(undefined)
  useEffect(() => () => run.current?.abort(), [])

  /** Ends what runs, and gives the next one's signal. */
  function begin(): AbortSignal {
    run.current?.abort()
    run.current = new AbortController()
    return run.current.signal
  }

  async function choose(file: File) {
    const signal = begin()
    setStage({ is: 'checking', file })
    const found = await inspectFile(kind, file)
    if (signal.aborted) return
    if (found.is === 'refused') return setStage({ ...found, file })
    await send(file, found.type, found.preview)
  }

  async function send(file: File, type: FileType, preview: string | undefined) {
    const signal = begin()
    const { name: filename, size } = file
    setStage({ is: 'sending', file, sent: 0 })
    try {
      const announced = { kind, content_type: type, content_length: size, filename }
      const presigned = await presign(announced, signal)
      await putFile(presigned, file, { signal, onProgress: (sent) => setStage({ is: 'sending', file, sent }) })
      if (signal.aborted) return
      onUploaded({ key: presigned.key, filename, size, ...(preview === undefined ? {} : { preview }) })
      setStage(IDLE)
    } catch (error) {
      if (signal.aborted) return
      setStage({ is: 'failed', file, message: uploadFailure(error), again: () => void send(file, type, preview) })
    }
  }

  function cancel() {
    run.current?.abort()
    setStage(IDLE)
  }

  return { stage, choose: (file: File) => void choose(file), cancel, setStage }
}

type FileType = 'image/jpeg' | 'image/png' | 'application/pdf'

type Inspection =
  | { is: 'good'; type: FileType; preview?: string }
  /** `mendable`: the cropper can make it right. The message stands at the field (rule 13.3). */
  | { is: 'refused'; message: string; mendable: boolean }

/** The programme asks for such a message and has not given its words (rule 1.7). */
const IMAGE_LOAD_FAILED = 'The image could not be loaded. Choose another file.'

/** More than any logo needs; a decoder must not be fed with everything. */
const CROPPABLE_BYTES = 20_000_000

/** Everything that can be known about a file before it is sent. The server looks again, and deeper. */
async function inspectFile(kind: UploadKind, file: Blob): Promise<Inspection> {
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

/** Why a file did not arrive, and that it is still there. A surprise is reported, and the person gets the spec's word for it. */
function uploadFailure(error: unknown): string {
  if (!(error instanceof ApiError)) {
    reportError(error)
    return 'Please try again.'
  }
  if (error.isConnectionFault) return 'The upload was cut off. Try again when there is a connection.'
  if (error.code === 'TOO_MANY_ATTEMPTS') {
    return `Too many uploads. Try again in ${waitText(error.retryAfterSeconds ?? 60)}.`
  }
  return error.fields[0]?.message ?? error.statusMessage
}

/** Where somebody who is logged in sends a file of their organisation. Throws ApiError. */
export const presignOwn: Presign = (announced, signal) =>
  call(presign, { body: v.parse(presign.body, announced), signal })
