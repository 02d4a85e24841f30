import { subscribeKey } from 'valtio/vanilla/utils'
import { isDown } from '../../domain/connectivity.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { followOutbox, isOpenDownload } from '../../offline/outbox/outbox.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import { auth } from '../../state/auth.ts'
import { changeToast, closeToast, showToast, type ToastItem } from '../../state/toasts.ts'
import { saveDownload } from './saveFile.ts'

interface Followed {
  owner: string
  ids: Set<string>
  rows: readonly OutboxRow[]
  openDownloads: () => void
  toast?: number
  end?: () => void
}

let followed: Followed | undefined

/**
 * One toast for all downloads that are followed here: from "Preparing" to "Save file", until somebody deals with it.
 * `openDownloads` shows the list, where more than one file waits.
 */
export function followDownload(owner: string, id: string, openDownloads: () => void): void {
  if (followed?.owner !== owner) unfollowDownloads()
  followed ??= { owner, ids: new Set(), rows: [], openDownloads }
  followed.ids.add(id)
  // Anew each time: a query over a database that the browser has closed has ended.
  followed.end?.()
  followed.end = followChanges(followed)
}

/** Saved, discarded, closed, logged out, or seen in the list of downloads. */
export function unfollowDownloads(): void {
  const before = followed
  followed = undefined
  before?.end?.()
  if (before?.toast !== undefined) closeToast(before.toast)
}

function followChanges(of: Followed): () => void {
  const ends = [
    followOutbox(of.owner, (rows) => {
      of.rows = rows
      show(of)
    }),
    subscribeKey(connectivity, 'verdict', () => show(of)),
    subscribeKey(auth, 'user', (user) => user?.guid !== of.owner && unfollowDownloads()),
  ]
  return () => ends.forEach((end) => end())
}

function show(of: Followed) {
  if (of !== followed) return
  const rows = of.rows.filter((row) => of.ids.has(row.id) && isOpenDownload(row))
  const [only] = rows
  if (!only) return of.toast === undefined ? undefined : unfollowDownloads()
  const { text, tone, isReady } = describeDownloads(rows, isDown(connectivity.verdict))
  const action =
    isReady && rows.length === 1
      ? { label: 'Save file', run: () => void saveDownload(of.owner, only) }
      : { label: 'Go to downloads', run: of.openDownloads }
  const said = { tone, text, action }
  if (of.toast === undefined) of.toast = showToast({ ...said, stays: true })
  else if (!changeToast(of.toast, said)) unfollowDownloads()
}

interface Description {
  text: string
  tone: ToastItem['tone']
  /** All files are on the device. */
  isReady: boolean
}

/** Where the followed downloads stand, in one sentence. Offline, nothing is said to be in progress. */
function describeDownloads(rows: readonly OutboxRow[], offline: boolean): Description {
  const failed = rows.filter(({ state }) => state === 'failed')
  const ready = rows.filter(({ state }) => state === 'ready')
  const isOver = failed.length + ready.length === rows.length
  return {
    text: textOf(rows, failed, ready, offline),
    tone: failed.length > 0 ? 'danger' : isOver ? 'success' : 'info',
    isReady: ready.length === rows.length,
  }
}

function textOf(
  rows: readonly OutboxRow[],
  failed: readonly OutboxRow[],
  ready: readonly OutboxRow[],
  offline: boolean,
): string {
  const [row] = rows
  if (!row) return ''
  if (rows.length > 1) {
    if (failed.length > 0) return `${failed.length} of ${rows.length} reports failed.`
    if (ready.length === rows.length) return `${rows.length} reports are ready.`
    if (offline) return `${rows.length - ready.length} reports wait for a connection.`
    return `Preparing ${rows.length} reports. ${ready.length} are ready.`
  }
  if (failed.length > 0) return `${row.title} failed. ${row.trouble ?? ''}`.trim()
  if (ready.length > 0) return `${row.filename ?? row.title} is ready.`
  return offline ? `${row.title} waits for a connection.` : `Preparing ${row.title}.`
}
