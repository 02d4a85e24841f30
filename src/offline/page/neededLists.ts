import { isGated, type Visitor } from '../../domain/gate.ts'
import { may } from '../../domain/accounts/permissions.ts'
import type { Feature } from '../../contract/accounts/permissions.ts'
import type { ReferenceListKey } from '../store/referenceLists.ts'

/** The reference lists that a person's work needs without a line. */
export function neededLists(person: Visitor): ReferenceListKey[] {
  if (isGated(person)) return ['productServiceCategories']
  const sees = (feature: Feature) => may(person, { feature, action: 'view' }, person.permissions)
  return [
    ...(sees('reports') ? (['denominations', 'branches'] as const) : []),
    ...(sees('masters') ? (['masters'] as const) : []),
    ...(sees('resources') ? (['resources'] as const) : []),
    ...(sees('pos') ? (['posUsers'] as const) : []),
    ...(sees('profile') ? (['views'] as const) : []),
  ]
}
