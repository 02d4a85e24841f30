import { formatBytes } from '../../domain/bytes.ts'
import { formatInstant, formatTime } from '../../domain/singaporeTime.ts'
import type { OutboxRow } from '../../offline/store/outboxRow.ts'
import type { IconName } from '../../ui/iconPaths.tsx'

interface Description {
  icon: IconName
  text: string
  tone?: 'danger'
}

/** What a download is doing, in words. Offline nothing is ever said to be in progress. */
export function describeDownload(row: OutboxRow, offline: boolean): Description {
  switch (row.state) {
    case 'waiting':
      return offline ? { icon: 'offline', text: 'Waiting for connection. Starts by itself.' } : waiting(row)
    case 'sending':
      return { icon: 'download', text: row.received > 0 ? received(row) : 'Preparing' }
    case 'ready':
      return { icon: 'ok', text: `Ready, ${formatBytes(row.size ?? 0)}. Kept on this device until you save it.` }
    case 'saved':
      return { icon: 'check', text: `Saved ${formatInstant(new Date(row.settledAt ?? row.createdAt))}` }
    case 'failed': {
      const at = formatTime(new Date(row.settledAt ?? row.createdAt))
      return { icon: 'alert', text: `Failed at ${at}. ${row.trouble ?? ''}`.trim(), tone: 'danger' }
    }
  }
}

function waiting(row: OutboxRow): Description {
  if (row.attempts === 0) return { icon: 'clock', text: 'Waiting for its turn' }
  const at = formatTime(new Date(row.nextAt))
  return { icon: 'clock', text: `${row.trouble ?? 'The last attempt failed.'} Next attempt at ${at}.` }
}

const received = (row: OutboxRow) =>
  row.total
    ? `Downloading, ${formatBytes(row.received)} of ${formatBytes(row.total)}`
    : `Downloading, ${formatBytes(row.received)}`
