import uFuzzy from '@leeoniya/ufuzzy'

type Range = [start: number, end: number]

/** Where a folded text matches, to be marked: whole terms, else the first letters of words, else terms with a wrong letter. */
export function matchRanges(needle: string, terms: readonly string[], text: string, initials: string): Range[] {
  const whole = terms.map((term) => placeOf(term, text))
  if (whole.every((place) => place !== undefined)) return inOrder(whole)
  if (isSubsequence(needle, initials)) return initialPlaces(needle, text)
  return inOrder(terms.flatMap((term) => typoPlaces(term, text)))
}

/** A word shorter than that with a letter wrong is another word. */
const SHORTEST_TYPO = 4
const TYPO = { intraIns: 1, intraSub: 1, intraTrn: 1, intraDel: 1 } as const
const EXACT = { intraIns: 0, intraSub: 0, intraTrn: 0, intraDel: 0 } as const

/** Finds terms with one letter wrong, missing, too many or swapped. */
export const matcher = new uFuzzy({
  intraMode: 1,
  intraRules: (term) => ({ intraSlice: [1, Infinity], ...(term.length < SHORTEST_TYPO ? EXACT : TYPO) }),
})

/** Whether `initials` has the letters of `needle` in their order. */
export function isSubsequence(needle: string, initials: string): boolean {
  if (needle.length > initials.length) return false
  let at = 0
  for (const letter of initials) if (letter === needle[at]) at += 1
  return at === needle.length
}

function placeOf(term: string, text: string): Range | undefined {
  const atWord = text.startsWith(term) ? 0 : text.indexOf(` ${term}`) + 1
  const start = atWord > 0 || text.startsWith(term) ? atWord : text.indexOf(term)
  return start < 0 ? undefined : [start, start + term.length]
}

function initialPlaces(needle: string, text: string): Range[] {
  const places: Range[] = []
  for (let at = 0; at < text.length && places.length < needle.length; at += 1) {
    const begins = text[at] !== ' ' && (at === 0 || text[at - 1] === ' ')
    if (begins && text[at] === needle[places.length]) places.push([at, at + 1])
  }
  return places
}

function typoPlaces(term: string, text: string): Range[] {
  const here = matcher.filter([text], term)
  const [ranges = []] = here && here.length > 0 ? matcher.info(here, [text], term).ranges : []
  return ranges.flatMap((start, at) => (at % 2 === 0 ? [[start, ranges[at + 1]!] as Range] : []))
}

function inOrder(places: readonly Range[]): Range[] {
  const merged: Range[] = []
  for (const [start, end] of places.toSorted(([one], [other]) => one - other)) {
    const last = merged.at(-1)
    if (last && start <= last[1]) last[1] = Math.max(last[1], end)
    else merged.push([start, end])
  }
  return merged
}

/**
 * Text as it is compared: lower case, without accents, and a space for everything that is neither letter nor digit. It has the
 * length of `text`, so that a position in one is the same position in the other.
 */
export function foldText(text: string): string {
  // A short way for plain names: most are, and there are thousands of them.
  // oxlint-disable-next-line no-control-regex
  if (/^[\u0000-\u007f]*$/.test(text)) return text.toLowerCase().replaceAll(/[^a-z\d]/g, ' ')
  return [...text].map(foldCharacter).join('')
}

function foldCharacter(character: string): string {
  const plain = character.normalize('NFD').toLowerCase()
  const bare = plain.slice(0, plain.codePointAt(0)! > 0xffff ? 2 : 1)
  return /^[\p{L}\p{N}]$/u.test(bare) && bare.length === character.length ? bare : ' '.repeat(character.length)
}

const A = 97

const ZERO = 48

/** The set of letters and digits of a folded text in 32 bits: one each for a to z, one for two digits, one for all the rest. */
export function letterMask(folded: string): number {
  let mask = 0
  for (let at = 0; at < folded.length; at += 1) {
    const code = folded.charCodeAt(at)
    if (code >= A && code < A + 26) mask |= 1 << (code - A)
    else if (code >= ZERO && code < ZERO + 10) mask |= 1 << (26 + ((code - ZERO) >> 1))
    else if (code > 127) mask |= 1 << 31
  }
  return mask
}

/** How many of `wanted` are not in `mask`. A name with one wrong letter misses one at most. */
export function missingLetters(wanted: number, mask: number): number {
  let missing = wanted & ~mask
  let count = 0
  while (missing !== 0) {
    missing &= missing - 1
    count += 1
  }
  return count
}
