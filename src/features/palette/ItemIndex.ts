import uFuzzy from '@leeoniya/ufuzzy'
import { foldText, letterMask, missingLetters } from './foldText.ts'

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
/** Names that are looked at for wrong letters at one go: nearly always the first of them have more than is shown. */
const TYPO_SLICE = 100
/** Answers kept for the way back: a letter that is deleted asks what was asked before. */
const KEPT_ANSWERS = 100
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
  readonly #answers = new Map<string, readonly Found<T>[]>()

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
  search(typed: string, limit: number): readonly Found<T>[] {
    const terms = [...new Set(foldText(typed.normalize('NFC').slice(0, LONGEST)).split(' '))].filter(Boolean)
    if (terms.length === 0) return []
    const question = `${limit} ${terms.join(' ')}`
    const answered = this.#answers.get(question)
    if (answered) return answered
    if (this.#answers.size >= KEPT_ANSWERS) this.#answers.clear()
    const answer = this.#find(terms, limit)
    this.#answers.set(question, answer)
    return answer
  }

  #find(terms: readonly string[], limit: number): Found<T>[] {
    const needle = terms.join(' ')
    const best = this.#ranked(needle, terms, limit)
    if (best.length < FEW) best.push(...this.#withTypos(terms, new Set(best), limit))
    return best.slice(0, limit).map((at) => ({ item: this.items[at]!, ranges: this.#rangesOf(at, needle, terms) }))
  }

  #ranked(needle: string, terms: readonly string[], limit: number): number[] {
    const ranks: number[][] = [[], [], [], [], []]
    const words = terms.map((term) => ` ${term}`)
    const mask = letterMask(needle)
    // Only what is better than that can still be among the first `limit`.
    let worst = ranks.length
    for (let at = 0; at < this.#texts.length && worst > 0; at += 1) {
      if ((mask & ~this.#masks[at]!) !== 0) continue
      const rank = rankOf(needle, terms, words, this.#texts[at]!, this.#initials[at]!, worst)
      if (rank === undefined) continue
      ranks[rank]!.push(at)
      worst = Math.min(worst, rankThatFills(ranks, limit))
    }
    return ranks.flat()
  }

  #withTypos(terms: readonly string[], known: ReadonlySet<number>, limit: number): number[] {
    // Wrong letters are of the Latin script: elsewhere a letter is too much of a word to be a slip.
    if (!/[a-z]{4}/.test(terms.join(' ')) || terms.some(({ length }) => length > LONGEST_TYPO)) return []
    const mask = letterMask(terms.join(''))
    const left: number[] = []
    for (let at = 0; at < this.#texts.length; at += 1) {
      if (missingLetters(mask, this.#masks[at]!) <= terms.length && !known.has(at)) left.push(at)
    }
    const found: number[] = []
    for (let start = 0; start < left.length && found.length < limit; start += TYPO_SLICE) {
      let some = left.slice(start, start + TYPO_SLICE)
      for (const term of terms) some = matcher.filter(this.#texts as string[], term, some) ?? []
      found.push(...some)
    }
    return found
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

/** The first rank with which there are `limit`; one more than the last where there are fewer. */
function rankThatFills(ranks: readonly (readonly number[])[], limit: number): number {
  let sum = 0
  const rank = ranks.findIndex(({ length }) => (sum += length) >= limit)
  return rank < 0 ? ranks.length : rank
}

/** `undefined` where it does not match letter by letter, or no better than `worst`. `words`: each term as it begins a word. */
function rankOf(
  needle: string,
  terms: readonly string[],
  words: readonly string[],
  text: string,
  initials: string,
  worst: number,
): number | undefined {
  if (text.startsWith(needle)) return 0
  if (worst > 1 && initials.startsWith(needle) && needle.length > 1) return 1
  // One letter is in nearly every name: it has to begin a word.
  if (worst > 2 && terms.every((term, at) => text.startsWith(term) || text.includes(words[at]!))) return 2
  if (worst > 3 && isSubsequence(needle, initials)) return 3
  return worst > 4 && terms.every((term) => term.length > 1 && text.includes(term)) ? 4 : undefined
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
