import { LIMITS } from '../../contract/limits.ts'
import { userStore } from './userStore.ts'

const DAY_MS = 86_400_000

/** Keys that were read on this device, whether the server has heard of it or not. */
export async function marksOf(owner: string): Promise<Set<string>> {
  return new Set(await userStore(owner).noticeMarks.toCollection().primaryKeys())
}

/** Remembers on the device at once; the server is told by `sendMarks`, now or when there is a connection. */
export async function addMarks(owner: string, keys: readonly string[]): Promise<void> {
  const at = Date.now()
  await userStore(owner).noticeMarks.bulkPut(keys.map((key) => ({ key, at, sent: false })))
}

/** Tells the server what it does not know yet. What it took stays until its own answers must have it. Throws what `send` throws. */
export async function sendMarks(owner: string, send: (keys: string[]) => Promise<unknown>): Promise<void> {
  const { noticeMarks } = userStore(owner)
  const rows = await noticeMarks.toArray()
  const unsent = rows
    .filter(({ sent }) => !sent)
    .slice(0, LIMITS.noticeMarks)
    .map(({ key }) => key)
  if (unsent.length > 0) {
    await send(unsent)
    await noticeMarks.where('key').anyOf(unsent).modify({ sent: true })
  }
  const old = Date.now() - 2 * LIMITS.noticeDays * DAY_MS
  await noticeMarks.bulkDelete(rows.filter(({ sent, at }) => sent && at < old).map(({ key }) => key))
}
