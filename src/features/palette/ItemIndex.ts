import uFuzzy from '@leeoniya/ufuzzy'
import { foldText } from './foldText.ts'
import { letterMask, missingLetters } from './letterMask.ts'

export interface Searchable {
  label: string
  detail?: string | undefined
  /** Looked in, and not shown. */
  keywords?: string | undefined
}

export interface Found<T> {
  item: T
  /** What matched, as pairs of start and end in the label; none where it was found by something else. */
  ranges: readonly (readonly [number, number])[]
}

const FEW = 8
/** No name is longer; the regular expressions of wrong letters would be. */
const LONGEST = 100
const LONGEST_TYPO = 30
/** A word shorter than that with a letter wrong is another word. */
const SHORTEST_TYPO = 4
/** Names that are indexed at one go, between two of which the page may do something else. */
const SLICE = 500

const TYPO = { intraIns: 1, intraSub: 1, intraTrn: 1, intraDel: 1 } as const
const EXACT = { intraIns: 0, intraSub: 0, intraTrn: 0, intraDel: 0 } as const
const matcher = new uFuzzy({
  intraMode: 1,
  intraRules: (term) => ({ intraSlice: [1, Infinity], ...(term.length < SHORTEST_TYPO ? EXACT : TYPO) }),
})

/**
 * Names made ready for being searched at every key: folded, with the first letters of their words, and with the set of their
 * letters, by which nearly all that cannot match are passed over.
 */
export class ItemIndex<T extends Searchable> {
  readonly items: readonly T[]
  readonly #texts: string[] = []
  readonly #initials: string[] = []
  readonly #masks: Int32Array

  private constructor(items: readonly T[]) {
    this.items = items
    this.#masks = new Int32Array(items.length)
  }

  /** In slices, so that the page stays at the person's hand meanwhile. The order of `items` decides between equals. */
  static async of<T extends Searchable>(items: readonly T[], pause: () => Promise<void>): Promise<ItemIndex<T>> {
    const index = new ItemIndex(items)
    for (let start = 0; start < items.length; start += SLICE) {
      if (start > 0) await pause()
      index.#add(start, Math.min(start + SLICE, items.length))
    }
    return index
  }

  #add(start: number, end: number) {
    for (let at = start; at < end; at += 1) {
      const { label, detail, keywords } = this.items[at]!
      const text = foldText([label, detail, keywords].filter(Boolean).join(' '))
      this.#texts.push(text)
      this.#initials.push(initialsOf(text.slice(0, label.length)))
      this.#masks[at] = letterMask(text)
    }
  }

  /** At most `limit`, best first: what begins so, first letters of words, words that begin so, parts of words, one wrong letter. */
  search(typed: string, limit: number): Found<T>[] {
    const terms = [...new Set(foldText(typed.normalize('NFC').slice(0, LONGEST)).split(' '))].filter(Boolean)
    if (terms.length === 0) return []
    const needle = terms.join(' ')
    const ranks = this.#ranked(needle, terms)
    if (ranks.reduce((sum, { length }) => sum + length, 0) < FEW)
      ranks.push(this.#withTypos(terms, new Set(ranks.flat())))
    return ranks
      .flat()
      .slice(0, limit)
      .map((at) => ({ item: this.items[at]!, ranges: this.#rangesOf(at, needle, terms) }))
  }

  #ranked(needle: string, terms: readonly string[]): number[][] {
    const ranks: number[][] = [[], [], [], [], []]
    const mask = letterMask(needle)
    for (let at = 0; at < this.#texts.length; at += 1) {
      if (missingLetters(mask, this.#masks[at]!) > 0) continue
      const rank = rankOf(needle, terms, this.#texts[at]!, this.#initials[at]!)
      if (rank !== undefined) ranks[rank]!.push(at)
    }
    return ranks
  }

  #withTypos(terms: readonly string[], known: ReadonlySet<number>): number[] {
    // Wrong letters are of the Latin script: elsewhere a letter is too much of a word to be a slip.
    if (!/[a-z]{4}/.test(terms.join(' ')) || terms.some(({ length }) => length > LONGEST_TYPO)) return []
    const mask = letterMask(terms.join(''))
    let left: number[] = []
    for (let at = 0; at < this.#texts.length; at += 1) {
      if (missingLetters(mask, this.#masks[at]!) <= terms.length && !known.has(at)) left.push(at)
    }
    for (const term of terms) left = matcher.filter(this.#texts as string[], term, left) ?? []
    return left
  }

  #rangesOf(at: number, needle: string, terms: readonly string[]): [number, number][] {
    const { length } = this.items[at]!.label
    const text = this.#texts[at]!.slice(0, length)
    const whole = terms.map((term) => placeOf(term, text))
    if (whole.every((place) => place !== undefined)) return inOrder(whole)
    if (isSubsequence(needle, this.#initials[at]!)) return initialPlaces(needle, text)
    return inOrder(terms.flatMap((term) => typoPlaces(term, text)))
  }
}

const initialsOf = (text: string) => text.replaceAll(/(?<=[^ ])[^ ]| /g, '')

/** `undefined` where it does not match letter by letter. */
function rankOf(needle: string, terms: readonly string[], text: string, initials: string): number | undefined {
  if (text.startsWith(needle)) return 0
  if (initials.startsWith(needle) && needle.length > 1) return 1
  // One letter is in nearly every name: it has to begin a word.
  if (terms.every((term) => text.startsWith(term) || text.includes(` ${term}`))) return 2
  if (isSubsequence(needle, initials)) return 3
  return terms.every((term) => term.length > 1 && text.includes(term)) ? 4 : undefined
}

function isSubsequence(needle: string, initials: string): boolean {
  if (needle.length > initials.length) return false
  let at = 0
  for (const letter of initials) if (letter === needle[at]) at += 1
  return at === needle.length
}

function placeOf(term: string, text: string): [number, number] | undefined {
  const atWord = text.startsWith(term) ? 0 : text.indexOf(` ${term}`) + 1
  const start = atWord > 0 || text.startsWith(term) ? atWord : text.indexOf(term)
  return start < 0 ? undefined : [start, start + term.length]
}

function initialPlaces(needle: string, text: string): [number, number][] {
  const places: [number, number][] = []
  for (let at = 0; at < text.length && places.length < needle.length; at += 1) {
    const begins = text[at] !== ' ' && (at === 0 || text[at - 1] === ' ')
    if (begins && text[at] === needle[places.length]) places.push([at, at + 1])
  }
  return places
}

function typoPlaces(term: string, text: string): [number, number][] {
  const here = matcher.filter([text], term)
  const [ranges = []] = here && here.length > 0 ? matcher.info(here, [text], term).ranges : []
  return ranges.flatMap((start, at) => (at % 2 === 0 ? [[start, ranges[at + 1]!] as [number, number]] : []))
}

function inOrder(places: readonly [number, number][]): [number, number][] {
  const merged: [number, number][] = []
  for (const [start, end] of places.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}
