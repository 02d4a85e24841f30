import * as v from 'valibot'
import { serial as Serial } from '../../../contract/vouchers.ts'
import { isSignedVoucher } from '../../../domain/signedVouchers.ts'
import { serialFromScan } from '../../../domain/vouchers.ts'
import type { Sighting } from './Decode.ts'

/** How long a voucher must have been out of view before it counts as shown again. */
const AWAY_MS = 3_000
/** Two sightings further apart than this do not confirm each other. */
const TOGETHER_MS = 1_000
/** Time without pictures (page hidden, camera paused, a verdict on the screen) does not count as out of view. */
const LONGEST_GAP_MS = 500

/** `foreign`: not of the programme. `several`: more than one voucher. `again`: reported before, and it has not left the view. */
export type Hint = 'foreign' | 'several' | 'again'
/** `code`: the serial of a voucher, the whole text of a signed one, or what else a screen has its camera look for. */
export type Reading = { code: string } | { hint: Hint } | undefined

/** Judges what pictures show, one after the other. */
export interface CodeReader {
  see(sightings: readonly Sighting[], at: number): Reading
}

interface Code {
  name: string
  text: string
  isVoucher: boolean
  /** Bars can be misread, digits and check digit included; a QR code corrects itself. */
  isSure: boolean
}

/** Turns a row of pictures into serials: each once each time that it is shown. */
export class CodeReading implements CodeReader {
  /** Reported serials, with the time each has been out of view since. */
  readonly #reported = new Map<string, number>()
  #candidate = { name: '', at: -Infinity }
  #lastAt = 0

  /** Takes what one picture showed at `at`, in milliseconds of any clock that never goes back. */
  see(sightings: readonly Sighting[], at: number): Reading {
    const codes = sightings.map(codeOf)
    this.#age(codes, at)
    const vouchers = new Map(codes.filter(({ isVoucher }) => isVoucher).map((code) => [code.name, code]))
    if (vouchers.size > 1) return { hint: 'several' }
    const [name] = vouchers.keys()
    const same = codes.filter((code) => code.name === (name ?? codes[0]?.name))
    const [code] = same
    if (!code) return undefined
    const isSure = same.some((one) => one.isSure)
    if (!this.#isConfirmed(code.name, isSure, at)) return undefined
    return this.#report(same.find(({ text }) => isSignedVoucher(text)) ?? code)
  }

  #report({ name, text, isVoucher }: Code): Reading {
    if (!isVoucher) return { hint: 'foreign' }
    if (this.#reported.has(name)) return { hint: 'again' }
    this.#reported.set(name, 0)
    return { code: isSignedVoucher(text) ? text : name }
  }

  #isConfirmed(name: string, isSure: boolean, at: number): boolean {
    const again = name === this.#candidate.name && at - this.#candidate.at <= TOGETHER_MS
    this.#candidate = { name, at }
    return isSure || again
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

/** Rule 8.2 decides, as for typed digits: prefix and check digit. */
function codeOf({ kind, text }: Sighting): Code {
  const parsed = v.safeParse(Serial, serialFromScan(text))
  return { name: parsed.success ? parsed.output : text, text, isVoucher: parsed.success, isSure: kind === 'qr' }
}
