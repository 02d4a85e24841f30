import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { instant } from '../wireFields.ts'

/**
 * The header of whatever tells the server of takings: one entry for each hold of the body, in its order (decision 0083). A header, for
 * bodies are strict: a server of the release before would refuse money over a field that it does not know.
 */
export const TAKINGS_HEADER = 'takings'

/** SHA-256 in lower-case hex. */
export const takingHash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'))

/** PostgreSQL's integer. A till takes some hundred thousand in its life. */
export const takingNumber = v.pipe(
  v.number(),
  v.safeInteger('must be a whole number'),
  v.minValue(1, 'must be 1 or more'),
  v.maxValue(2_147_483_647, 'must be 2147483647 or less'),
)

/**
 * The place of what a cashier took in the sequence of its till: a number without holes, and the hash of the one before. A till begins a
 * `sequence` with the first voucher after its storage was empty.
 */
export const Taking = v.object({ sequence: guid, number: takingNumber, previous: takingHash })
export type Taking = v.InferOutput<typeof Taking>

/** What the first of a sequence names as the hash of the one before. */
export const NO_TAKING = '0'.repeat(64)

/**
 * What the SHA-256 of a taking is made of. The hold stands for voucher, value, cashier and till: the server made it before, and it never
 * changes. So the server makes the same hash of a redemption, of one that was undone, and of a row of a rescue copy.
 */
export const takingText = ({ sequence, number, previous }: Taking, holdId: string): string =>
  [sequence, number, previous, holdId].join(' ')

/** As text for header and rescue copy. What follows the one before it in the list goes without a hash: the reader makes it. */
export const writeTakings = (takings: readonly (Taking | undefined)[]): string =>
  takings.map((taking, at) => (taking ? writeTaking(taking, takings[at - 1]) : '-')).join(',')

function writeTaking({ sequence, number, previous }: Taking, before: Taking | undefined): string {
  const follows = before?.sequence === sequence && before.number + 1 === number
  return [sequence, number, ...(follows ? [] : [previous])].join('.')
}

/**
 * The same read, for the holds of `rows`: undefined for each without a taking, and for all where there is no text or it is not ours. `hash` is
 * SHA-256 in hex.
 */
export function readTakings(
  text: string | undefined,
  rows: readonly { id: string }[],
  hash: (text: string) => string,
): (HashedTaking | undefined)[] {
  const entries = text?.split(',') ?? []
  if (entries.length !== rows.length) return []
  let before: HashedTaking | undefined
  return entries.map((entry, at) => (before = readTaking(entry, rows[at]!.id, before, hash)))
}

export type HashedTaking = Taking & { hash: string }

function readTaking(entry: string, holdId: string, before: HashedTaking | undefined, hash: (text: string) => string) {
  const [sequence, digits, previous = before?.hash] = entry.split('.')
  const parsed = v.safeParse(Taking, { sequence, number: Number(digits), previous })
  return parsed.success ? { ...parsed.output, hash: hash(takingText(parsed.output, holdId)) } : undefined
}

/** From and to, both included. */
export type NumberRange = [from: number, to: number]

/** Whole numbers as the fewest ranges, in order: 3, 1, 2 and 7 are 1 to 3 and 7 to 7. */
export function toRanges(numbers: readonly number[]): NumberRange[] {
  const ranges: NumberRange[] = []
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1)
    if (last && number <= last[1] + 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges
}

/** At most `most` ranges, which hold the same numbers and perhaps more: the last one takes in all that follow. */
export function atMostRanges(ranges: readonly NumberRange[], most: number): NumberRange[] {
  const surplus = ranges.at(-1)
  if (!surplus || ranges.length <= most) return [...ranges]
  return [...ranges.slice(0, most - 1), [ranges[most - 1]![0], surplus[1]]]
}

export const isInRanges = (ranges: readonly NumberRange[], number: number): boolean =>
  ranges.some(([from, to]) => from <= number && number <= to)

/** "47", "47 to 49". */
export const rangeText = ([from, to]: NumberRange): string => (from === to ? String(from) : `${from} to ${to}`)

/** How many numbers they hold. */
export const countOf = (ranges: readonly NumberRange[]): number =>
  ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0)

/** "number 47", "numbers 3, 17 and 40 to 49"; of more than `most` ranges the first, and how many more numbers there are. */
export function numbersText(ranges: readonly NumberRange[], most = Infinity): string {
  const shown = ranges.length > most ? ranges.slice(0, most) : ranges
  const more = countOf(ranges) - countOf(shown)
  const texts = [...shown.map(rangeText), ...(more > 0 ? [`${more} more`] : [])]
  const list = texts.length > 1 ? `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}` : texts.join('')
  return `${countOf(ranges) === 1 ? 'number' : 'numbers'} ${list}`
}

/** `missing`: the till took it, and it has not arrived. `broken`: it arrived, and does not fit the one before (decision 0083). */
export const MISSING_KINDS = ['missing', 'broken'] as const
export type MissingKind = (typeof MISSING_KINDS)[number]

/** Which numbers of a till. */
export const takingNumbers = { sequence: guid, kind: v.picklist(MISSING_KINDS), from: takingNumber, to: takingNumber }

/** Numbers in a row, both ends included, that were noticed at one time. */
export const MissingTakings = v.object({ ...takingNumbers, noticed_at: instant })
export type MissingTakings = v.InferOutput<typeof MissingTakings>

/** The same after somebody has closed them, with their name then. */
export const ClosedTakings = v.object({
  ...takingNumbers,
  closed_at: instant,
  closed_by: v.string(),
  reason: v.string(),
})
export type ClosedTakings = v.InferOutput<typeof ClosedTakings>
