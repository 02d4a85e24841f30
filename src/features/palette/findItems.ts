import uFuzzy from '@leeoniya/ufuzzy'
import { formatSerial, serialFromScan } from '../../domain/vouchers.ts'
import { ICONS } from '../../ui/icons.tsx'
import type { Item } from './paletteItems.ts'

/** For a serial that was typed or scanned, at least eight digits of it. */
function serialItems(typed: string): Item[] {
  const digits = serialFromScan(typed).replaceAll(/[\s-]/g, '')
  if (!/^\d{8,13}$/.test(digits)) return []
  const go = { to: '/vouchers', search: { q: digits } }
  return [{ id: 'serial', label: `Find voucher ${formatSerial(digits)}`, detail: 'Vouchers', icon: ICONS.search, go }]
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
export function itemFinder(items: readonly Item[]): (typed: string) => Item[] {
  const texts = uFuzzy.latinize(items.map(({ label, detail, keywords }) => [label, detail, keywords].join(' ')))
  return (typed) => {
    const needle = uFuzzy.latinize(typed.trim().slice(0, LONGEST))
    if (needle === '') return items.slice(0, SHOWN)
    const [matching, info, order] = fuzzy.search(texts, needle, 1)
    const found = order ? order.map((at) => info.idx[at]!) : (matching ?? [])
    return [...serialItems(typed), ...found.slice(0, SHOWN).map((at) => items[at]!)]
  }
}
