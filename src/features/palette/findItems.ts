import uFuzzy from '@leeoniya/ufuzzy'
import { formatSerial, serialFromScan } from '../../domain/vouchers.ts'
import { ICONS } from '../../ui/icons.tsx'
import type { Item } from './paletteItems.ts'
import { SYNONYMS } from './synonyms.ts'

/** Returns an item that finds the voucher, if the text is a serial of 8 to 13 digits, typed or scanned. */
function serialItems(typed: string): Item[] {
  const digits = serialFromScan(typed).replaceAll(/[\s-]/g, '')
  if (!/^\d{8,13}$/.test(digits)) return []
  const go = { to: '/vouchers', search: { q: digits } }
  return [{ id: 'serial', label: `Find voucher ${formatSerial(digits)}`, detail: 'Vouchers', icon: ICONS.search, go }]
}

/** The most items shown: a longer list would not help. */
const MAX_SHOWN = 16
/** The most characters searched: enough to tell names apart. The library's regular expressions grow with the text. */
const MAX_TYPED = 24

/** Finds letters of any script, with one typing error. */
const fuzzy = new uFuzzy({
  unicode: true,
  interSplit: '[^\\p{L}\\d]+',
  intraSplit: '\\p{Ll}\\p{Lu}',
  intraBound: '\\p{L}\\d|\\d\\p{L}|\\p{Ll}\\p{Lu}',
  intraChars: '[\\p{L}\\d]',
  intraContr: "'\\p{L}{1,2}\\b",
  intraMode: 1,
})

const SYNONYMS_OF = new Map<string, string>(Object.entries(SYNONYMS))

/**
 * Returns a search function to call at every keystroke. That function returns the best matches first, or the first items
 * if nothing is typed.
 */
export function itemFinder(items: readonly Item[]): (typed: string) => Item[] {
  const texts = uFuzzy.latinize(items.map(({ label, detail }) => [label, detail, SYNONYMS_OF.get(label)].join(' ')))
  const labels = uFuzzy.latinize(items.map(({ label }) => label))
  return (typed) => {
    const needle = uFuzzy.latinize(typed.trim().slice(0, MAX_TYPED))
    if (needle === '') return items.slice(0, MAX_SHOWN)
    const ranked = (haystack: string[]) => {
      const [matching, info, order] = fuzzy.search(haystack, needle, 1)
      return order ? order.map((at) => info.idx[at]!) : (matching ?? [])
    }
    // A name comes before a synonym.
    const found = [...new Set([...ranked(labels), ...ranked(texts)])]
    return [...serialItems(typed), ...found.slice(0, MAX_SHOWN).map((at) => items[at]!)]
  }
}
