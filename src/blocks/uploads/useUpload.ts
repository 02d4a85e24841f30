import { useEffect, useRef, useState } from 'react'
import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { call } from '../../api/call.ts'
import { putFile } from '../../api/putFile.ts'
import { presign, type Presigned, type UploadKind } from '../../contract/uploads.ts'
import { imageFault, logoFault, pdfFault, pdfStart } from '../../domain/merchants/uploadRules.ts'
import { canReadPictures } from '../../ui/canReadPictures.ts'
import { waitText } from '../../ui/form/formErrors.ts'
import { pictureOf } from './picture.ts'
import type { Upload } from './Upload.ts'

/** The facts about a file that are known before it is sent. */
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
  /** The file is refused. `mendable`: the cropper can correct it. */
  | { is: 'refused'; file: File; message: string; mendable: boolean }
  | { is: 'cropping'; file: File; message: string }
  | { is: 'sending'; file: File; sent: number }
  /** The file is good, but sending it failed. */
  | { is: 'failed'; file: File; message: string; again: () => void }

interface Options<K extends UploadKind> {
  kind: K
  presign: Presign<K>
  onUploaded: (upload: Upload) => void
}

const IDLE: UploadStage = { is: 'idle' }

/** Manages one upload: it is inspected, cropped if necessary, and sent. Leaving the screen aborts it; the form keeps files that have arrived. */
export function useUpload<K extends UploadKind>({ kind, presign, onUploaded }: Options<K>) {
  const [stage, setStage] = useState<UploadStage>(IDLE)
  const run = useRef<AbortController>(undefined)
  useEffect(() => () => run.current?.abort(), [])

  /** Stops the current step, and returns a signal for the next one. */
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
    // Read here first: for a file that has changed on the disk, the upload would look like a failed connection.
    const bytes = await bytesOf(file)
    if (signal.aborted) return
    if (bytes?.byteLength !== size) return refuseUnreadable(file)
    try {
      const announced = { kind, content_type: type, content_length: size, filename }
      const presigned = await presign(announced, signal)
      await putFile(presigned, new Blob([bytes]), {
        signal,
        onProgress: (sent) => setStage({ is: 'sending', file, sent }),
      })
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

  const refuseUnreadable = (file: File) => setStage({ ...UNREADABLE, file })

  return { stage, choose: (file: File) => void choose(file), cancel, setStage, refuseUnreadable }
}

type FileType = 'image/jpeg' | 'image/png' | 'application/pdf'

type Inspection =
  | { is: 'good'; type: FileType; preview?: string }
  /** `mendable`: the cropper can correct it. The message is shown at the field (rule 13.3). */
  | { is: 'refused'; message: string; mendable: boolean }

/** The spec requires such a message without giving its words (rule 1.7). */
const IMAGE_LOAD_FAILED = 'The image could not be loaded. Choose another file.'

/** The file was changed, moved or removed meanwhile, or never loaded from a cloud drive. */
const UNREADABLE = {
  is: 'refused',
  message: 'This file has changed or cannot be read. Choose it again.',
  mendable: false,
} as const

/** More bytes than any file needs. A larger file must not reach the decoder. */
const MOST_BYTES = 20_000_000

/** Checks everything that can be known about a file before it is sent. The server checks again, and more. */
async function inspectFile(kind: UploadKind, file: Blob): Promise<Inspection> {
  const bytes = await bytesOf(file.slice(0, MOST_BYTES))
  if (!bytes) return UNREADABLE
  const type = typeOf(kind, bytes)
  const announced = { kind, content_type: type ?? '', content_length: file.size }
  const fault = v.safeParse(presign.body, announced).issues?.[0]?.message
  if (kind === 'merchant_agreement') return verdict(fault ?? pdfFault(bytes)?.message, type)
  if (type === undefined || file.size > MOST_BYTES) return verdict(fault, type)
  const picture = await pictureOf(file).catch(() => undefined)
  if (!picture) return verdict(IMAGE_LOAD_FAILED, type)
  const wrong = logoFault(kind, picture) ?? imageFault(bytes)
  const message = fault ?? wrong?.message
  const canDraw = canReadPictures()
  if (message === undefined) return { is: 'good', type, ...(canDraw ? { preview: picture.preview } : {}) }
  if (wrong?.rule === 'too small') return verdict(message, type)
  return {
    is: 'refused',
    message: canDraw ? message : `${message.replace(/\.$/, '')}. ${CANNOT_CROP}`,
    mendable: canDraw,
  }
}

const CANNOT_CROP = 'This browser hides pictures from the portal, so they cannot be cropped here. Use another browser.'

const verdict = (message: string | undefined, type: FileType | undefined): Inspection =>
  message === undefined ? { is: 'good', type: type! } : { is: 'refused', message, mendable: false }

/** Reads the bytes of a file; undefined if it cannot be read, or no longer. */
const bytesOf = (file: Blob): Promise<Uint8Array<ArrayBuffer> | undefined> =>
  file.arrayBuffer().then(
    (buffer) => new Uint8Array(buffer),
    () => undefined,
  )

const SIGNATURES: readonly [FileType, readonly number[]][] = [
  ['image/jpeg', [0xff, 0xd8, 0xff]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
]

/** Returns the type by the content, because a name proves nothing. */
function typeOf(kind: UploadKind, bytes: Uint8Array): FileType | undefined {
  if (kind === 'merchant_agreement') return pdfStart(bytes) === undefined ? undefined : 'application/pdf'
  return SIGNATURES.find(([, signature]) => signature.every((byte, at) => bytes[at] === byte))?.[0]
}

/** Says why a file did not arrive. An unexpected error is reported, and the person sees the spec's text for it. */
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

/** Asks where a logged-in person sends a file of their organisation. Throws ApiError. */
export const presignOwn: Presign = (announced, signal) =>
  call(presign, { body: v.parse(presign.body, announced), signal })
