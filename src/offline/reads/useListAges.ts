import type { Feature } from '../../contract/accounts/permissions.ts'
import { may } from '../../domain/accounts/permissions.ts'
import { isGated, type Visitor } from '../../domain/gate.ts'
import { useLiveQuery } from '../storage/useLiveQuery.ts'
import { deviceStore, userStore } from '../storage/userStore.ts'
import { isPublicList, type ReferenceListKey } from '../store/referenceLists.ts'

export interface ListAge {
  key: ReferenceListKey
  /** Milliseconds of this device's clock. Undefined if the list was never stored. */
  asOf: number | undefined
}

/** Returns the ages of the lists that this user's work needs, and follows their changes. Undefined until they are read. */
export function useListAges(owner: string, visitor: Visitor): ListAge[] | undefined {
  const keys = neededLists(visitor)
  return useLiveQuery(() => Promise.all(keys.map((key) => readAge(owner, key))), `list-ages/${owner}/${keys.join()}`)
}

async function readAge(owner: string, key: ReferenceListKey): Promise<ListAge> {
  const { lists } = isPublicList(key) ? deviceStore() : userStore(owner)
  return { key, asOf: (await lists.get(key))?.fetchedAt }
}

/** Returns the keys of the reference lists that a user needs to work offline. */
export function neededLists(visitor: Visitor): ReferenceListKey[] {
  if (isGated(visitor)) return ['productServiceCategories']
  const canSee = (feature: Feature) => may(visitor, { feature, action: 'view' }, visitor.permissions)
  return [
    ...(canSee('reports') ? (['denominations', 'branches'] as const) : []),
    ...(canSee('masters') ? (['masters'] as const) : []),
    ...(canSee('pos') ? (['posUsers'] as const) : []),
  ]
}
