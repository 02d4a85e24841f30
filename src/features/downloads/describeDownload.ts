import { formatBytes } from '../../domain/quantities.ts'
import { formatDay, formatInstant, formatTime } from '../../domain/singaporeTime.ts'
import { keptUntil, RETENTION } from '../../offline/outbox/outboxRetention.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import type { Drawing } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'

export interface Description {
  icon: Drawing
  text: string
  tone?: 'danger'
}

interface DownloadContext {
  offline: boolean
  /** Its place among those that wait, from 1. */
  place: number
  /** Its file is removed first when the device needs room. */
  goesNext: boolean
}

/** What a download is doing, in words. Offline, nothing is said to be in progress. */
export function describeDownload(row: OutboxRow, around: DownloadContext): Description {
  switch (row.state) {
    case 'waiting':
      return around.offline ? WAITING_FOR_CONNECTION : waiting(row, around.place)
    case 'sending':
      return around.offline ? WAITING_FOR_CONNECTION : { icon: ICONS.download, text: sending(row) }
    case 'ready':
      return { icon: ICONS.ok, text: ready(row, around.goesNext) }
    case 'saved':
      return { icon: ICONS.check, text: `Handed over ${formatInstant(settledAt(row))}` }
    case 'failed':
      return { icon: ICONS.alert, text: failed(row), tone: 'danger' }
  }
}

const settledAt = (row: OutboxRow) => new Date(row.settledAt ?? row.createdAt)

const WAITING_FOR_CONNECTION: Description = {
  icon: ICONS.offline,
  text: 'Waiting for connection. Starts automatically.',
}

function waiting(row: OutboxRow, place: number): Description {
  if (row.attempts === 0)
    return { icon: ICONS.clock, text: `Waiting for its turn${place > 1 ? `, place ${place}` : ''}` }
  const at = formatTime(new Date(row.nextAt))
  return { icon: ICONS.clock, text: `${row.trouble ?? 'The last attempt failed.'} Next attempt at ${at}.` }
}

function sending(row: OutboxRow): string {
  if (row.received === 0) return 'Preparing'
  const received = row.total ? `${formatBytes(row.received)} of ${formatBytes(row.total)}` : formatBytes(row.received)
  return `Downloading, ${received}`
}

function ready(row: OutboxRow, goesNext: boolean): string {
  const what = `Ready, ${formatBytes(row.size ?? 0)}, as of ${formatInstant(settledAt(row))}.`
  if (goesNext) return `${what} Save it: it makes room for the next file.`
  return `${what} Kept until ${formatDay(new Date(keptUntil(row)))}.`
}

function failed(row: OutboxRow): string {
  if (row.gone === 'age')
    return `Not saved within ${RETENTION.days} days, so the file was removed from this device. Retry downloads it again.`
  if (row.gone === 'room') return 'The file was removed to make room for newer ones. Retry downloads it again.'
  const at = formatTime(settledAt(row))
  const what = row.attempts > 1 ? `Failed after ${row.attempts} attempts, last at ${at}.` : `Failed at ${at}.`
  return `${what} ${row.trouble ?? ''}`.trim()
}
