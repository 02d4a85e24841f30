import type { OutboxRow } from '../../offline/store/userRows.ts'
import type { ToastItem } from '../../state/toasts.ts'

interface Description {
  text: string
  tone: ToastItem['tone']
  /** All files are on the device. */
  isReady: boolean
}

/** Where the followed downloads stand, in one sentence. Offline, nothing is said to be in progress. */
export function describeDownloads(rows: readonly OutboxRow[], offline: boolean): Description {
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
