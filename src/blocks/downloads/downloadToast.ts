import { subscribeKey } from 'valtio/vanilla/utils'
import { isDown } from '../../domain/connectivity.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { followOutbox, isUnsavedDownload } from '../../offline/outbox/outbox.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import { auth } from '../../state/auth.ts'
import { changeToast, closeToast, showToast, type ToastItem } from '../../state/toasts.ts'
import { saveDownload, showHandedToast } from './saveFile.ts'

let unfollow: (() => void) | undefined

/** Stops following the download and closes its toast. */
export function unfollowDownloads(): void {
  unfollow?.()
  unfollow = undefined
}

/**
 * Shows one toast for the latest download, from "Preparing" to "Save file", until the person has saved or discarded the file or
 * closed the toast. `openDownloads` shows the list of all downloads.
 */
export function followDownload(owner: string, id: string, openDownloads: () => void): void {
  unfollowDownloads()
  let row: OutboxRow | undefined
  let toast: number | undefined
  const show = () => {
    if (!row || !isUnsavedDownload(row)) return toast === undefined ? undefined : unfollowDownloads()
    const ready = row
    const action =
      row.state === 'ready'
        ? {
            label: 'Save file',
            run: () => void saveDownload(owner, ready).then((handed) => handed && showHandedToast(handed)),
          }
        : { label: 'Go to downloads', run: openDownloads }
    const said = { ...describeDownload(row, isDown(connectivity.verdict)), action }
    if (toast === undefined) toast = showToast({ ...said, stays: true })
    else if (!changeToast(toast, said)) unfollowDownloads()
  }
  const stops = [
    followOutbox(owner, (rows) => {
      row = rows.find((one) => one.id === id)
      show()
    }),
    subscribeKey(connectivity, 'verdict', show),
    subscribeKey(auth, 'user', (user) => user?.guid !== owner && unfollowDownloads()),
  ]
  unfollow = () => {
    stops.forEach((stop) => stop())
    if (toast !== undefined) closeToast(toast)
  }
}

/** Describes the state of a download in one sentence, which never says offline that something is in progress. */
function describeDownload(row: OutboxRow, offline: boolean): Pick<ToastItem, 'text' | 'tone'> {
  if (row.state === 'failed') return { text: `${row.title} failed. ${row.trouble ?? ''}`.trim(), tone: 'danger' }
  if (row.state === 'ready') return { text: `${row.filename ?? row.title} is ready.`, tone: 'success' }
  return { text: offline ? `${row.title} waits for a connection.` : `Preparing ${row.title}.`, tone: 'info' }
}
