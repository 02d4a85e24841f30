import type { Visitor } from '../../domain/gate.ts'
import { isPublicList, type ReferenceListKey } from '../store/referenceLists.ts'
import { deviceStore } from '../page/deviceStore.ts'
import { neededLists } from '../page/neededLists.ts'
import { useLiveQuery } from '../storage/useLiveQuery.ts'
import { userStore } from '../storage/userStore.ts'

export interface ListAge {
  key: ReferenceListKey
  /** Milliseconds of this device's clock; undefined when the list was never kept. */
  asOf: number | undefined
}

/** How old the lists are that this person's work needs, live; undefined until the device has answered. */
export function useListAges(owner: string, person: Visitor): ListAge[] | undefined {
  const keys = neededLists(person)
  return useLiveQuery(() => Promise.all(keys.map((key) => ageOf(owner, key))), `list-ages/${owner}/${keys.join()}`)
}

async function ageOf(owner: string, key: ReferenceListKey): Promise<ListAge> {
  const { lists } = isPublicList(key) ? deviceStore() : userStore(owner)
  return { key, asOf: (await lists.get(key))?.fetchedAt }
}
