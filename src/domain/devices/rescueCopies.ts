/**
 * A rescue copy on its way: as text in a file, or cut into parts that are QR codes, which may be read in any order. Parts have the form
 * `HRC1.<id>.<number>.<count>.<text>`. What it says is sealed, so nothing here needs a checksum.
 */

/** Characters of the text in one code at most: with 30 more it is about 97 modules wide, which a tablet's camera reads from a screen. */
const PART_LENGTH = 700

/** Between two copies in the codes of the release before: no letter of a copy. */
const BETWEEN = '~'

/** At the end of a compact JWE, and different in each. */
const ID_LENGTH = 8

export interface RescuePart {
  /** Of the text that it is a part of. */
  id: string
  /** From 1. */
  number: number
  count: number
  text: string
}

/** The parts of some sealed copies, in order: each copy by itself, so that a part that is lost costs one copy. */
export const rescueParts = (copies: readonly string[]): string[] => copies.flatMap(partsOf)

function partsOf(text: string): string[] {
  const id = text.slice(-ID_LENGTH)
  const count = Math.ceil(text.length / PART_LENGTH)
  // All of one size: the smaller the largest, the better each is read.
  const length = Math.ceil(text.length / count)
  return Array.from({ length: count }, (_, at) => {
    const part = text.slice(at * length, (at + 1) * length)
    return ['HRC1', id, at + 1, count, part].join('.')
  })
}

const PART = /^HRC1\.([\w-]{8})\.([1-9]\d?)\.([1-9]\d?)\.([\w.~-]{1,2000})$/

const COPY = /^[\w-]{1,1000}\.\.[\w-]{16}\.[\w-]{1,8000}\.[\w-]{22}$/

/** What a code, a file or a pasted text holds: sealed copies, or parts of some. Everything else in it is for people. */
export function readRescueText(text: string): { copies: string[]; parts: RescuePart[] } {
  const words = text.split(/\s/)
  return {
    copies: words.flatMap((word) => word.split(BETWEEN)).filter((word) => COPY.test(word)),
    parts: words.flatMap(partOf),
  }
}

function partOf(word: string): RescuePart[] {
  const [, id = '', number, count, text = ''] = PART.exec(word) ?? []
  const part = { id, number: Number(number), count: Number(count), text }
  return part.number <= part.count ? [part] : []
}

/** What parts add up to. `copies` once none is missing. */
export interface JoinedParts {
  id: string
  count: number
  missing: number[]
  copies: string[]
}

/** What a code is called, on paper and while it is read: "Code 2 of 8", and of several copies "Copy 3fKx, code 2 of 8". */
export function partName(part: string, all: readonly string[]): string {
  const [{ id, number, count } = { id: '', number: 1, count: 1 }] = partOf(part)
  return all.length === count ? `Code ${number} of ${count}` : `${copyName(id)}, code ${number} of ${count}`
}

export const copyName = (id: string): string => `Copy ${id.slice(0, 4)}`

/** Parts of one text each, whatever their order, and however often one was read. */
export function joinRescueParts(parts: readonly RescuePart[]): JoinedParts[] {
  const texts = new Map(parts.map(({ id, count }) => [`${id}.${count}`, { id, count }]))
  return [...texts.values()].map(({ id, count }) => {
    const read = new Map(
      parts.filter((part) => part.id === id && part.count === count).map((one) => [one.number, one.text]),
    )
    const numbers = Array.from({ length: count }, (_, at) => at + 1)
    const missing = numbers.filter((number) => !read.has(number))
    const text = numbers.map((number) => read.get(number) ?? '').join('')
    return { id, count, missing, copies: missing.length === 0 ? readRescueText(text).copies : [] }
  })
}

/** Why a till should not be relied on to upload by itself. */
export type RescueReason = 'battery' | 'storage' | 'age'

/** The share of its charge at which a battery is low. */
const LOW = 0.2

const OLD_MS = 2 * 60 * 60_000

interface TillCondition {
  /** `undefined` where the browser does not tell. */
  battery: { level: number; charging: boolean } | undefined
  /** Whether the browser has promised to delete nothing; `undefined` before it was asked. */
  persistent: boolean | undefined
  /** When the oldest that waits was redeemed, in milliseconds like `now`. */
  oldestAt: number
  now: number
}

/** The most urgent reason to offer a rescue copy of what waits; `undefined` without one. */
export function rescueReason({ battery, persistent, oldestAt, now }: TillCondition): RescueReason | undefined {
  if (battery && !battery.charging && battery.level <= LOW) return 'battery'
  if (now - oldestAt > OLD_MS) return 'age'
  return persistent === false ? 'storage' : undefined
}
