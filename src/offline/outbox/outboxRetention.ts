import type { UserDatabase } from '../store/databases.ts'
import type { OutboxRow } from '../store/userRows.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The limits of finished downloads on a tablet (rule 14.7). A file that exceeds the limit alone is kept as the only one. */
export const DOWNLOAD_RETENTION = { days: 7, files: 20, bytes: 50_000_000 } as const

interface RetentionPlan {
  /** Saved downloads to delete, with their files: their time is over, or others need the room. */
  forget: string[]
  /** Files to delete, with the reason; their rows stay and show it. */
  letGo: { id: string; gone: NonNullable<OutboxRow['gone']> }[]
}

/** When a finished file is deleted from the device. */
export const downloadKeptUntil = ({ settledAt, createdAt }: Pick<OutboxRow, 'settledAt' | 'createdAt'>): number =>
  (settledAt ?? createdAt) + DOWNLOAD_RETENTION.days * DAY_MS

/** Chooses what to delete from all rows of a user: first saved downloads, then files, the oldest first in each. */
export function planRetention(rows: readonly OutboxRow[], now: number): RetentionPlan {
  const newestFirst = rows.toSorted((a, b) => downloadKeptUntil(b) - downloadKeptUntil(a))
  const old = (row: OutboxRow) => downloadKeptUntil(row) <= now
  const ready = newestFirst.filter(({ state }) => state === 'ready')
  const fresh = ready.filter((row) => !old(row))
  const surplus = surplusOf(fresh)
  const kept = fresh.filter((row) => !surplus.includes(row))
  const saved = newestFirst.filter((row) => row.state === 'saved' && !old(row))
  const beyond = surplusOf([...kept, ...saved]).filter((row) => saved.includes(row))
  return {
    forget: newestFirst
      .filter((row) => row.state === 'saved' && (old(row) || beyond.includes(row)))
      .map(({ id }) => id),
    letGo: [
      ...ready.filter(old).map(({ id }) => ({ id, gone: 'age' as const })),
      ...surplus.map(({ id }) => ({ id, gone: 'room' as const })),
    ],
  }
}

/** Those for which there is no room, if the first are kept first. */
function surplusOf(rows: readonly OutboxRow[]): OutboxRow[] {
  let bytes = 0
  return rows.filter(({ size = 0 }, index) => {
    bytes += size
    return index > 0 && (index >= DOWNLOAD_RETENTION.files || bytes > DOWNLOAD_RETENTION.bytes)
  })
}

/** Deletes what the plan names. The row of a deleted file stays and can request it again. */
export async function applyRetention(store: UserDatabase, rows: readonly OutboxRow[], now = Date.now()): Promise<void> {
  const { forget, letGo } = planRetention(rows, now)
  await store.outbox.bulkDelete(forget)
  for (const { id, gone } of letGo) await store.outbox.update(id, { state: 'failed', gone, settledAt: now })
  await store.files.bulkDelete([...forget, ...letGo.map(({ id }) => id)])
}
