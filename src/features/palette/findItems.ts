import uFuzzy from '@leeoniya/ufuzzy'
import type { Item } from './paletteItems.ts'

export interface FoundItem {
  item: Item
  /** What matched in the label: starts and ends in turn. */
  ranges: readonly number[]
}

/** More would not help anybody. */
const SHOWN = 16
/** The library's expressions grow with what is typed. No name is longer. */
const LONGEST = 24

/** Letters of any script; one may be wrong, missing, too many or swapped. */
const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: '[^\\p{L}\\d]+',
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: '[\\p{L}\\d]',
  intraContr: "'\\p{L}{1,2}\\b",
  intraMode: 1,
})

/** Prepares items for a search with each key. It gives the best matches first; with nothing typed the first items as they come. */
export function itemFinder(items: readonly Item[]): (typed: string) => FoundItem[] {
  const texts = uFuzzy.latinize(items.map(({ label, detail, keywords }) => [label, detail, keywords].join(' ')))
  return (typed) => {
    const needle = uFuzzy.latinize(typed.trim().slice(0, LONGEST))
    if (needle === '') return items.slice(0, SHOWN).map((item) => ({ item, ranges: [] }))
    const [matching, info, order] = fuzzy.search(texts, needle, 1)
    if (!matching) return []
    if (!order) return matching.slice(0, SHOWN).map((at) => ({ item: items[at]!, ranges: [] }))
    return order.slice(0, SHOWN).map((at) => {
      const item = items[info.idx[at]!]!
      return { item, ranges: info.ranges[at]!.filter((_, n, all) => all[n | 1]! <= item.label.length) }
    })
  }
}
