import { useEffect, useRef, useState } from 'react'
import type { Presigned, UploadKind } from '../../contract/uploads.ts'
import { putFile } from '../../api/putFile.ts'
import { type FileType, inspectFile } from '../upload/inspectFile.ts'
import type { Upload } from './Upload.ts'
import { uploadFailure } from '../upload/uploadFailure.ts'

/** What is known of a file before it is sent. */
export interface Announced<K extends UploadKind = UploadKind> {
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

/** One file on its way: looked at, cropped if need be, sent. Leaving the screen ends it; the form keeps what has arrived. */
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
