import { useRef, useState } from 'react'
import { ApiError } from '../../api/ApiError.ts'
import { download } from '../../api/download.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { saveFileWithToast } from '../../blocks/downloads/saveFile.ts'
import { downloadResource, type ResourceRow } from '../../contract/resources.ts'
import type { DownloadedFile } from '../../domain/DownloadedFile.ts'
import { keptFilesOf, type KeptFiles } from '../../offline/storage/keptFiles.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import type { KeptFileRow } from '../../offline/store/userRows.ts'
import { showToast } from '../../state/toasts.ts'

export interface ResourceFiles {
  storedOf: (row: ResourceRow) => KeptFileRow | undefined
  /** Whether there is a newer file than the one stored here or, if there is none, than the last one I downloaded. */
  isNewer: (row: ResourceRow) => boolean
  /** Bytes received so far, during a download. */
  receivedOf: (row: ResourceRow) => number | undefined
  /** Downloads the file, stores it and saves it for the person. False if the download failed. */
  download: (row: ResourceRow) => Promise<boolean>
  cancel: (row: ResourceRow) => void
  save: (row: ResourceRow) => Promise<void>
  remove: (row: ResourceRow) => Promise<void>
}

/** The programme's files as this person has them on this device. */
export function useResourceFiles(): ResourceFiles {
  const { guid: owner } = useUser()
  const stored = useLiveQuery(() => keptFilesOf(owner).list(), `kept files/${owner}`) ?? []
  const [received, setReceived] = useState<Readonly<Record<string, number | undefined>>>({})
  const running = useRef(new Map<string, AbortController>())

  const storedOf = ({ guid }: ResourceRow) => stored.find(({ id }) => id === guid)

  async function download(row: ResourceRow) {
    if (running.current.has(row.guid)) return false
    const controller = new AbortController()
    running.current.set(row.guid, controller)
    const setBytes = (bytes: number) => setReceived((now) => ({ ...now, [row.guid]: bytes }))
    setBytes(0)
    const arrived = await fetchResource(owner, row, setBytes, controller.signal)
    running.current.delete(row.guid)
    setReceived((now) => ({ ...now, [row.guid]: undefined }))
    return arrived
  }

  async function save(row: ResourceRow) {
    const file = await keptFilesOf(owner).read(row.guid)
    if (file) await saveFileWithToast(file)
    else showToast({ tone: 'danger', text: 'The file is no longer on this device. Download it again.' })
  }

  async function remove(row: ResourceRow) {
    await keptFilesOf(owner).drop(row.guid)
    showToast({ tone: 'success', text: `${row.title} removed from this device` })
  }

  return {
    storedOf,
    isNewer: (row) => isNewer(row, storedOf(row)),
    receivedOf: ({ guid }) => received[guid],
    download,
    cancel: ({ guid }) => running.current.get(guid)?.abort(),
    save,
    remove,
  }
}

function isNewer({ updated_at, downloaded_at }: ResourceRow, stored: KeptFileRow | undefined): boolean {
  const last = stored?.version ?? downloaded_at
  return last !== null && Date.parse(last) < Date.parse(updated_at)
}

/** Downloads a file, stores it for offline use and saves it for the person. On a failure it shows why and returns false. */
async function fetchResource(
  owner: string,
  row: ResourceRow,
  progress: (received: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  const files = keptFilesOf(owner)
  try {
    const file = await download(downloadResource, { body: { guid: row.guid }, signal }, progress)
    await storeForOffline(files, row, file)
    await saveFileWithToast(new File([file.bytes], file.filename, { type: file.type }))
    return true
  } catch (error) {
    if (signal.aborted) return false
    if (!(error instanceof ApiError)) throw error
    showToast({ tone: 'danger', text: `${row.title} was not downloaded. ${error.statusMessage}` })
    return false
  }
}

/** Without room on the device the person still gets the file. */
async function storeForOffline(files: KeptFiles, { guid, updated_at }: ResourceRow, file: DownloadedFile) {
  try {
    await files.keep({ id: guid, version: updated_at, ...file })
  } catch {
    showToast({ tone: 'info', text: 'This device has no room to keep the file for offline.' })
  }
}
