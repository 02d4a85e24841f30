import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { checkSeals } from '../../../server/services/redemptions/ledgerSeals.ts'
import { receiptNumber } from '../../../server/services/redemptions/receipt.ts'
import type { SyncOutcome } from '../../../src/contract/redemptions/sync.ts'
import type { Ask, Reply } from '../api/portalClient.ts'
import type { ServerEnvironment } from '../server/serverEnvironment.ts'
import { newHoldKey, syncRows, type HoldKey, type TestTill } from './testTill.ts'

interface Attempt {
  serial: string
  key: HoldKey
}

/** Somebody else has it. */
const TAKEN = ['VOUCHER_HELD', 'VOUCHER_ALREADY_USED']

/** What all of them were told, as one. */
export const journalOf = (tills: readonly CountingTill[]): Map<string, string> =>
  new Map(tills.flatMap(({ journal }) => [...journal]))

/** A till that writes down what the server acknowledged, and asks again for what it never heard of. */
export class CountingTill {
  /** Receipt numbers of everything that was acknowledged, by the ids of the holds. */
  readonly journal = new Map<string, string>()
  /** How often each answer came while there was a fault: `200`, `503 DB_UNAVAILABLE`, the system's word for a connection that ended … */
  readonly outcomes = new Map<string, number>()
  /** The system's word for what ended `redeemUntilDeath`: ECONNREFUSED where nobody listens any more. */
  lineEnded: string | undefined
  readonly #attempts: Attempt[] = []
  readonly #ask: Ask
  #till: TestTill

  constructor(ask: Ask, till: TestTill) {
    this.#ask = ask
    this.#till = till
  }

  /** The same cashier, signed in anew: a token lives ten minutes, and two hundred kills take longer. */
  goOnAs(till: TestTill): void {
    this.#till = till
  }

  /**
   * One after the other, at most one in `everyMs`, until the server does not answer any more. A 503 decides nothing: a server may
   * lose its disk a moment before it dies, and what it could not say is left for `askAgain`.
   */
  async redeemUntilDeath(serials: Iterable<string> | AsyncIterable<string>, everyMs = 0): Promise<void> {
    for await (const serial of serials) {
      const nextOne = sleep(everyMs)
      try {
        await this.#try(serial)
      } catch (error) {
        // `fetch` has one word for a server that is gone.
        if (!(error instanceof TypeError)) throw error
        this.lineEnded = (error.cause as NodeJS.ErrnoException).code ?? error.message
        this.#add(this.lineEnded)
        return
      }
      await nextOne
    }
  }

  /** One in `everyMs`, whatever the answer was, until `isOver`. What was not decided is left for `askAgain`. */
  async redeemThrough(serials: readonly string[], everyMs: number, isOver: () => boolean): Promise<void> {
    for (const serial of serials) {
      if (isOver()) return
      const nextOne = sleep(everyMs)
      await this.#try(serial)
      await nextOne
    }
  }

  /**
   * Every attempt since it was asked last once more, under its own key: what was acknowledged gets the same receipt. A server that
   * is only just back may say for `patienceMs` that its database is not.
   */
  async askAgain(patienceMs = 0): Promise<void> {
    const deadline = performance.now() + patienceMs
    for (const attempt of this.#attempts.splice(0)) {
      let answer = await this.#askOnce(attempt)
      while (answer.status === 503 && performance.now() < deadline) answer = await this.#askOnce(attempt)
      this.#note(attempt, answer)
    }
  }

  async #try(serial: string): Promise<void> {
    const attempt = { serial, key: newHoldKey() }
    this.#attempts.push(attempt)
    const checked = await this.#till.verify(serial, attempt.key)
    const answer = checked.status === 200 ? await this.#redeem(attempt) : checked
    this.#add(outcomeOf(answer))
    // Holds that nobody could settle while there was a fault fill the till.
    if (answer.status !== 503 && answer.error !== 'HOLD_LIMIT') this.#note(attempt, answer)
  }

  async #askOnce(attempt: Attempt): Promise<Reply> {
    const answer = await this.#redeem(attempt)
    if (answer.status !== 200 || outcomeIn(answer)?.state !== 'unknown') return answer
    const checked = await this.#till.verify(attempt.serial, attempt.key)
    return checked.status === 200 ? this.#redeem(attempt) : checked
  }

  #add(outcome: string) {
    this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1)
  }

  #note({ key, serial }: Attempt, answer: Reply) {
    if (answer.status !== 200) {
      expect(TAKEN, 'refused only where somebody else was quicker').toContain(answer.error)
      expect(this.journal.has(key.id), 'what was acknowledged stays so').toBe(false)
      return
    }
    expect(outcomeIn(answer)).toMatchObject({ state: 'redeemed', receipt: { id: key.id, serial } })
    const { receipt } = outcomeIn(answer) as Extract<SyncOutcome, { state: 'redeemed' }>
    expect(this.journal.get(key.id) ?? receipt.receipt_number, 'the same receipt again').toBe(receipt.receipt_number)
    this.journal.set(key.id, receipt.receipt_number)
  }

  async #redeem({ key: { id, secret } }: Attempt): Promise<Reply> {
    for (;;) {
      const answer = await syncRows(this.#ask, [{ became: 'redeemed', id, secret }])
      if (answer.status !== 200 || outcomeIn(answer)?.state !== 'later') return answer
    }
  }
}

/** What its one row was told. */
const outcomeIn = ({ data }: Reply): SyncOutcome | undefined => (data as { outcomes?: SyncOutcome[] }).outcomes?.[0]

/** The long form of the faults (`npm run test:faults`), which a release wants. */
export const LONG_RUN = process.env['LOAD'] === 'long'

/** `200`, `409 VOUCHER_ALREADY_USED`; one that is to come again must say when. */
function outcomeOf({ status, error, headers }: Pick<Reply, 'status' | 'error' | 'headers'>): string {
  const isForLater = status === 503 || error === 'VOUCHER_BUSY'
  const lacks = isForLater && !headers.has('retry-after') ? 'without Retry-After' : undefined
  return [status, error, lacks].filter(Boolean).join(' ')
}

/** How often each answer came to all of `tills` together. The long form prints it. */
export function outcomesOf(tills: readonly CountingTill[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [outcome, count] of tills.flatMap(({ outcomes }) => [...outcomes])) {
    sums.set(outcome, (sums.get(outcome) ?? 0) + count)
  }
  printOutcomes(sums)
  return sums
}

/** In the long form. */
function printOutcomes(counts: ReadonlyMap<string, number>, of = ''): void {
  const lines = [...counts].map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`)
  if (LONG_RUN) console.log([...(of ? [of] : []), ...lines].join('\n'))
}

/**
 * The ledger holds what the tills were told, and nothing else: by the receipts, by the vouchers and by the sums. Answers how many
 * seals it has.
 */
export async function expectLedgerMatches(
  { open }: Pick<ServerEnvironment, 'open'>,
  tills: CountingTill[],
): Promise<number> {
  const database = await open()
  const rows = await database.db.select().from(redemption)
  const used = (await database.db.select().from(voucher)).filter(({ status }) => status === 'Used')
  const check = await ledgerCheck(database)
  const seals = await checkSeals(database)
  await database.close()
  const told = journalOf(tills)
  expect(new Map(rows.map(({ id, receiptNo }) => [id, receiptNumber(receiptNo)]))).toEqual(told)
  expect(new Set(rows.map(({ voucherId }) => voucherId))).toEqual(new Set(used.map(({ id }) => id)))
  expect(rows).toHaveLength(used.length)
  expect(check).toMatchObject({ balanced: true, ledger_rows: told.size })
  expect(seals.broken).toBeUndefined()
  return seals.seals
}
