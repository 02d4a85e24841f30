import * as v from 'valibot'
import { userStore } from '../../offline/storage/userStore.ts'

const KEY = 'palette/recent'
const MANY = 8
const Recent = v.array(v.string())

/** The ids of what was chosen last, newest first. They lie with the person's data, and go with it at the logout. */
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
  // A device that keeps nothing remembers nothing: the choice itself was made.
  await userStore(owner)
    .lists.put({ key: KEY, data, fetchedAt: Date.now() })
    .catch(() => undefined)
}
