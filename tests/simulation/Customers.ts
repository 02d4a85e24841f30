import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../../server/db/engine/Database.ts'
import { voucher } from '../../server/db/schema/vouchers.ts'
import { withCheckDigit } from '../../src/domain/vouchers.ts'
import type { Chance } from './Chance.ts'

/** The customers, who bring vouchers to the counters. */
export class Customers {
  readonly #serials: string[] = []
  #brought = 0

  /** Issues the vouchers. With `expire` one in four expires at the first midnight of the world. */
  async giveVouchers(count: number, db: Db, { expire }: { expire: boolean }): Promise<void> {
    for (let n = 1; n <= count; n += 1) this.#serials.push(withCheckDigit(`2${String(n).padStart(11, '0')}`))
    const rows = this.#serials.map((serial, at) => {
      const isFirstDay = expire && at % 4 === 3
      const expiresOn = isFirstDay ? FIRST_DAY : '2099-12-31'
      return { id: uuidv7(), serial, denominationCents: 1_000, expiresOn, status: 'Active' as const }
    })
    for (let at = 0; at < rows.length; at += 5_000) await db.insert(voucher).values(rows.slice(at, at + 5_000))
  }

  /**
   * The next customer's voucher: mostly a new one, now and then one that was brought before, here or elsewhere. Often a copy is from
   * `waiting`, the vouchers that tills redeemed without a receipt so far: copies of those would do the most harm.
   */
  bring(chance: Chance, waiting: readonly string[]): string {
    const isCopy = this.#brought > 0 && chance.happens(0.15)
    if (isCopy && waiting.length > 0 && chance.happens(0.5)) return chance.pick(waiting)
    // A customer who tries a voucher twice mostly does so soon.
    const ago = chance.around(chance.happens(0.2) ? 60 : 6)
    const at = isCopy ? Math.max(0, this.#brought - 1 - Math.floor(ago)) : this.#brought++
    return this.#serials[at % this.#serials.length]!
  }
}

const FIRST_DAY = '2026-11-21'

/** Names a voucher by the number between the prefix and the check digit. */
export const voucherName = (serial: string): string => `voucher ${Number(serial.slice(1, 12))}`
