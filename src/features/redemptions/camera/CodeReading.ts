import * as v from 'valibot'
import { serial as Serial } from '../../../contract/vouchers.ts'
import { isSignedVoucher } from '../../../domain/signedVouchers.ts'
import { serialFromScan } from '../../../domain/vouchers.ts'
import type { Sighting } from './Decode.ts'

/** A voucher must have been out of view for this long before it counts as shown again. */
const AWAY_MS = 3_000
/** Two sightings further apart than this do not confirm each other. */
const TOGETHER_MS = 1_000
/** Time without pictures (page hidden, camera paused, a verdict on the screen) does not count as out of view. */
const LONGEST_GAP_MS = 500

/** `foreign`: not a code of the programme. `several`: more than one voucher. `again`: a voucher that was reported and is still in view. */
export type Hint = 'foreign' | 'several' | 'again'
/** The result of one picture. `code`: the serial of a voucher, or the whole text of a signed voucher. */
export type Reading = { code: string } | { hint: Hint } | undefined

interface Code {
  /** The serial of a voucher, or the text of another code. */
  name: string
  text: string
  isVoucher: boolean
  /** True for a QR code, which corrects its own errors. Bars can be misread as another number, even with a right check digit. */
  isSure: boolean
}

/** The last time that a code was seen, and the sample that showed it. */
interface Glimpse {
  atMs: number
  sample: string
}

/** Turns the codes seen in a series of pictures into readings. Reports each voucher once each time it is shown. */
export class CodeReading {
  /** Reported vouchers, each with the milliseconds for which it has been out of view. */
  readonly #reported = new Map<string, number>()
  /** The codes in the last picture that showed any, by name. */
  #glimpses = new Map<string, Glimpse>()
  #lastAtMs = 0

  /**
   * Reads one picture. `atMs` is its time on a clock that never goes back. `sample` names the sample that was read: two samples
   * of one picture with the same name have the same pixels.
   */
  see(sightings: readonly Sighting[], atMs: number, sample: string): Reading {
    const codes = sightings.map(codeOf)
    this.#updateAway(codes, atMs)
    const certain = this.#certainNames(codes, atMs, sample)
    const vouchers = new Set(codes.filter(({ isVoucher }) => isVoucher).map(({ name }) => name))
    // The barcode of weighed food begins with 2 as well. If a single voucher is a QR code, that one is the voucher.
    const qrVouchers = new Set(codes.filter(({ isVoucher, isSure }) => isVoucher && isSure).map(({ name }) => name))
    const [only] = qrVouchers.size === 1 ? qrVouchers : vouchers
    if (qrVouchers.size !== 1 && vouchers.size > 1) {
      return [...vouchers].filter((name) => certain.has(name)).length > 1 ? { hint: 'several' } : undefined
    }
    const sameName = codes.filter((code) => code.name === (only ?? codes[0]?.name))
    const [code] = sameName
    if (!code || !certain.has(code.name)) return undefined
    return this.#report(sameName.find(({ text }) => isSignedVoucher(text)) ?? code)
  }

  #report({ name, text, isVoucher }: Code): Reading {
    if (!isVoucher) return { hint: 'foreign' }
    if (this.#reported.has(name)) return { hint: 'again' }
    this.#reported.set(name, 0)
    return { code: isSignedVoucher(text) ? text : name }
  }

  /** Returns the names of all QR codes, and of bars that an earlier, different sample also showed: a misreading is not repeated in other pixels. */
  #certainNames(codes: readonly Code[], atMs: number, sample: string): Set<string> {
    const before = this.#glimpses
    const isAgain = ({ name }: Code) => {
      const glimpse = before.get(name)
      return glimpse !== undefined && glimpse.sample !== sample && atMs - glimpse.atMs <= TOGETHER_MS
    }
    if (codes.length > 0) this.#glimpses = new Map(codes.map(({ name }) => [name, { atMs, sample }]))
    return new Set(codes.filter((code) => code.isSure || isAgain(code)).map(({ name }) => name))
  }

  /** Adds the time since the last picture to every reported voucher that is out of view. */
  #updateAway(codes: readonly Code[], atMs: number) {
    const passedMs = Math.min(atMs - this.#lastAtMs, LONGEST_GAP_MS)
    this.#lastAtMs = atMs
    for (const [name, awayMs] of this.#reported) {
      if (codes.some((code) => code.name === name)) this.#reported.set(name, 0)
      else if (awayMs + passedMs >= AWAY_MS) this.#reported.delete(name)
      else this.#reported.set(name, awayMs + passedMs)
    }
  }
}

/** Recognises a voucher by prefix and check digit, as for typed digits (rule 8.2). */
function codeOf({ kind, text }: Sighting): Code {
  const parsed = v.safeParse(Serial, serialFromScan(text))
  return { name: parsed.success ? parsed.output : text, text, isVoucher: parsed.success, isSure: kind === 'qr' }
}
