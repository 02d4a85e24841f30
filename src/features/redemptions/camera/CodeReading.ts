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

/** `foreign`: not a code of the programme. `several`: more than one voucher. `again`: reported before, and still in view. */
export type Hint = 'foreign' | 'several' | 'again'
/** `code`: the serial of a voucher, or the whole text of a signed one. */
export type Reading = { code: string } | { hint: Hint } | undefined

interface Code {
  name: string
  text: string
  isVoucher: boolean
  /** True for a QR code, which corrects itself. Bars can be misread, including a wrong number with a right check digit. */
  isSure: boolean
}

interface Glimpse {
  at: number
  look: string
}

/** Turns a series of pictures into codes, and reports each voucher once each time it is shown. */
export class CodeReading {
  /** Reported vouchers, each with the milliseconds for which it has been out of view. */
  readonly #reported = new Map<string, number>()
  /** The codes in the last picture that showed any, by name. */
  #glimpses = new Map<string, Glimpse>()
  #lastAt = 0

  /**
   * Reads one picture, taken at `at`: milliseconds of a clock that never goes back. `look` names the way in which the picture was
   * looked at. The same look at the same picture sees the same pixels.
   */
  see(sightings: readonly Sighting[], at: number, look: string): Reading {
    const codes = sightings.map(codeOf)
    this.#age(codes, at)
    const certain = this.#certain(codes, at, look)
    const vouchers = new Set(codes.filter(({ isVoucher }) => isVoucher).map(({ name }) => name))
    // Labels for weighed food begin with 2 as well: beside one, a QR code says which of the two is the voucher.
    const squares = new Set(codes.filter(({ isVoucher, isSure }) => isVoucher && isSure).map(({ name }) => name))
    const [only] = squares.size === 1 ? squares : vouchers
    if (squares.size !== 1 && vouchers.size > 1) {
      return [...vouchers].filter((name) => certain.has(name)).length > 1 ? { hint: 'several' } : undefined
    }
    const same = codes.filter((code) => code.name === (only ?? codes[0]?.name))
    const [code] = same
    if (!code || !certain.has(code.name)) return undefined
    return this.#report(same.find(({ text }) => isSignedVoucher(text)) ?? code)
  }

  #report({ name, text, isVoucher }: Code): Reading {
    if (!isVoucher) return { hint: 'foreign' }
    if (this.#reported.has(name)) return { hint: 'again' }
    this.#reported.set(name, 0)
    return { code: isSignedVoucher(text) ? text : name }
  }

  /** Names of QR codes, and of bars that another look at an earlier picture also saw: these two looks never see the same pixels. */
  #certain(codes: readonly Code[], at: number, look: string): Set<string> {
    const before = this.#glimpses
    const isAgain = ({ name }: Code) => {
      const glimpse = before.get(name)
      return glimpse !== undefined && glimpse.look !== look && at - glimpse.at <= TOGETHER_MS
    }
    if (codes.length > 0) this.#glimpses = new Map(codes.map(({ name }) => [name, { at, look }]))
    return new Set(codes.filter((code) => code.isSure || isAgain(code)).map(({ name }) => name))
  }

  #age(codes: readonly Code[], at: number) {
    const passed = Math.min(at - this.#lastAt, LONGEST_GAP_MS)
    this.#lastAt = at
    for (const [name, away] of this.#reported) {
      if (codes.some((code) => code.name === name)) this.#reported.set(name, 0)
      else if (away + passed >= AWAY_MS) this.#reported.delete(name)
      else this.#reported.set(name, away + passed)
    }
  }
}

/** Checks prefix and check digit, as for typed digits (rule 8.2). */
function codeOf({ kind, text }: Sighting): Code {
  const parsed = v.safeParse(Serial, serialFromScan(text))
  return { name: parsed.success ? parsed.output : text, text, isVoucher: parsed.success, isSure: kind === 'qr' }
}
