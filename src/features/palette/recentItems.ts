import * as v from 'valibot'
import { userStore } from '../../offline/storage/userStore.ts'

const KEY = 'palette/recent'
const MANY = 8
const Recent = v.array(v.string())

/** The ids of what was chosen last, newest first. They are stored with the person's data and removed with it at logout. */
export async function recentIds(owner: string): Promise<string[]> {
  const row = await userStore(owner)
    .lists.get(KEY)
    .catch(() => undefined)
  const stored = v.safeParse(Recent, row?.data)
  return stored.success ? stored.output : []
}

export async function rememberRecent(owner: string, id: string): Promise<void> {
  const before = await recentIds(owner)
  const data = [id, ...before.filter((one) => one !== id)].slice(0, MANY)
  // If this device stores nothing, the choice works all the same; it is just not remembered.
  await userStore(owner)
    .lists.put({ key: KEY, data, fetchedAt: Date.now() })
    .catch(() => undefined)
}
