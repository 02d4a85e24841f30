import { foldText, isSubsequence, letterMask, matcher, matchRanges, missingLetters } from './matchRanges.ts'

export interface Searchable {
  label: string
  detail?: string | undefined
  /** Searched, and not shown. */
  keywords?: string | undefined
}

export interface Found<T> {
  item: T
  /** What matched, as pairs of start and end in the label. None if it was found by its detail or keywords. */
  ranges: readonly (readonly [number, number])[]
}

const FEW = 8
/** No name is longer, and longer text would make slow regular expressions for wrong letters. */
const LONGEST = 100
const LONGEST_TYPO = 30
/** Names that are searched for wrong letters in one go. The first of them nearly always give enough results. */
const TYPO_SLICE = 100
/** Answers that are remembered: whoever deletes a letter asks again what was asked before. */
const KEPT_ANSWERS = 100
/** Names that are indexed in one go. Between two of them the page can do something else. */
const SLICE = 500

/**
 * Names prepared for a search with every key: folded, with the first letters of their words, and with the set of their letters,
 * which rules out nearly all that cannot match.
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

  /** In slices, so that the page reacts meanwhile. Of equal matches the first in `items` comes first. */
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

  /** At most `limit`, best first: names that begin so, first letters of words, words that begin so, parts of words, wrong letters. */
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
    return best.slice(0, limit).map((at) => {
      const item = this.items[at]!
      const text = this.#texts[at]!.slice(0, item.label.length)
      return { item, ranges: matchRanges(needle, terms, text, this.#initials[at]!) }
    })
  }

  #ranked(needle: string, terms: readonly string[], limit: number): number[] {
    const ranks: number[][] = [[], [], [], [], []]
    const words = terms.map((term) => ` ${term}`)
    const mask = letterMask(needle)
    // Only a better rank than this can still be among the first `limit`.
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
    // In Latin script only: in other scripts one letter is too much of a word to be a typing error.
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
