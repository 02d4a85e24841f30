import { serialItem } from './deviceItems.ts'
import { ITEM_GROUPS, type Item, type ItemGroup } from './Item.ts'
import type { Found } from './ItemIndex.ts'
import type { PaletteIndex } from './usePaletteIndex.ts'

/** More would not help anybody, and costs time. */
const SHOWN = 16
const AT_FIRST = 14

export interface FoundItem extends Found<Item> {
  /** The heading above it. */
  group: ItemGroup
}

/** The list: with nothing typed, recent choices, then actions and screens; else the group of the best match first. */
export function foundItems(
  ready: PaletteIndex | undefined,
  typed: string,
  fromServer: readonly Item[],
): readonly FoundItem[] {
  if (!ready) return []
  if (typed.trim() === '') return atFirst(ready)
  const found = ready.index.search(typed, SHOWN).map(({ item, ranges }) => ({ item, ranges, group: item.group }))
  const serial = serialItem(typed)
  const all = serial ? [{ item: serial, ranges: NO_RANGES, group: serial.group }, ...found] : found
  return [...inGroups(all), ...onlyOnServer(fromServer, all)]
}

const NO_RANGES: Found<Item>['ranges'] = []

function atFirst({ index, recent }: PaletteIndex): FoundItem[] {
  const chosen = new Set(recent)
  // Screens are in the sidebar too; what one can do is in view first.
  const rest = (['Actions', 'Screens'] as const).flatMap((group) =>
    index.items.filter((item) => !chosen.has(item) && item.group === group).slice(0, AT_FIRST),
  )
  return [
    ...recent.map((item) => ({ item, ranges: NO_RANGES, group: 'Recent' as const })),
    ...rest.map((item) => ({ item, ranges: NO_RANGES, group: item.group })),
  ]
}

/** Groups in the order of their best items. */
function inGroups(found: readonly FoundItem[]): FoundItem[] {
  const groups = new Map<ItemGroup, FoundItem[]>()
  for (const one of found) {
    const members = groups.get(one.group)
    if (members) members.push(one)
    else groups.set(one.group, [one])
  }
  return [...groups.values()].flat()
}

function onlyOnServer(fromServer: readonly Item[], shown: readonly FoundItem[]): FoundItem[] {
  const ids = new Set(shown.map(({ item }) => item.id))
  const group = ITEM_GROUPS[ITEM_GROUPS.length - 1]!
  return fromServer.filter(({ id }) => !ids.has(id)).map((item) => ({ item, ranges: NO_RANGES, group }))
}
