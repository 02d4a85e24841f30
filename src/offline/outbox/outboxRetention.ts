import type { UserDatabase } from '../store/databases.ts'
import type { OutboxRow } from '../store/userRows.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** The limits for finished downloads on a device (rule 14.7). The newest file is kept even if it alone exceeds the limit. */
export const DOWNLOAD_RETENTION = { days: 7, files: 20, bytes: 50_000_000 } as const

interface RetentionPlan {
  /** The ids of saved downloads to delete with their files, because they are too old or other files need the room. */
  downloadsToDelete: string[]
  /** Files to delete, with the reason. Their rows stay and show the reason. */
  filesToDelete: { id: string; gone: NonNullable<OutboxRow['gone']> }[]
}

/** Returns when a finished file is deleted from the device, in milliseconds. */
export const downloadKeptUntil = ({ settledAt, createdAt }: Pick<OutboxRow, 'settledAt' | 'createdAt'>): number =>
  (settledAt ?? createdAt) + DOWNLOAD_RETENTION.days * DAY_MS

/** Chooses what to delete of a user's rows: saved downloads before unsaved files, and older ones before newer ones. */
export function planRetention(rows: readonly OutboxRow[], now: number): RetentionPlan {
  const newestFirst = rows.toSorted((a, b) => downloadKeptUntil(b) - downloadKeptUntil(a))
  const isOld = (row: OutboxRow) => downloadKeptUntil(row) <= now
  const ready = newestFirst.filter(({ state }) => state === 'ready')
  const fresh = ready.filter((row) => !isOld(row))
  const surplusReady = findSurplus(fresh)
  const kept = fresh.filter((row) => !surplusReady.includes(row))
  const saved = newestFirst.filter((row) => row.state === 'saved' && !isOld(row))
  const surplusSaved = findSurplus([...kept, ...saved]).filter((row) => saved.includes(row))
  return {
    downloadsToDelete: newestFirst
      .filter((row) => row.state === 'saved' && (isOld(row) || surplusSaved.includes(row)))
      .map(({ id }) => id),
    filesToDelete: [
      ...ready.filter(isOld).map(({ id }) => ({ id, gone: 'age' as const })),
      ...surplusReady.map(({ id }) => ({ id, gone: 'room' as const })),
    ],
  }
}

/** Returns the rows that exceed the limits if the first rows are kept. */
function findSurplus(rows: readonly OutboxRow[]): OutboxRow[] {
  let bytes = 0
  return rows.filter(({ size = 0 }, index) => {
    bytes += size
    return index > 0 && (index >= DOWNLOAD_RETENTION.files || bytes > DOWNLOAD_RETENTION.bytes)
  })
}

/** Makes the plan and carries it out. The row of a deleted file stays, so that the user can request the file again. */
export async function applyRetention(store: UserDatabase, rows: readonly OutboxRow[], now = Date.now()): Promise<void> {
  const { downloadsToDelete, filesToDelete } = planRetention(rows, now)
  await store.outbox.bulkDelete(downloadsToDelete)
  for (const { id, gone } of filesToDelete) await store.outbox.update(id, { state: 'failed', gone, settledAt: now })
  await store.files.bulkDelete([...downloadsToDelete, ...filesToDelete.map(({ id }) => id)])
}
