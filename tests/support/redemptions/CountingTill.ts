import { setTimeout as sleep } from 'node:timers/promises'
import type { SyncOutcome } from '../../../src/contract/redemptions/sync.ts'
import type { Ask, Reply } from '../api/portalClient.ts'
import { newHoldKey, syncRows, type HoldKey, type TestTill } from './testTill.ts'

interface Attempt {
  serial: string
  key: HoldKey
}

/** Somebody else has it. */
const TAKEN = ['VOUCHER_HELD', 'VOUCHER_ALREADY_USED']

export interface GivenReceipt {
  /** Of the redemption, which is the till's own key. */
  id: string
  serial: string
  number: string
  /** By `performance.now()`. */
  at: number
}

/** For faults that last: who logs in again when the token is over, and what ends the till whatever it has in hand. */
interface Patience {
  logIn: () => Promise<TestTill>
  givesUp: AbortSignal
}

const PACE_MS = 700
const ASK_AGAIN_MS = 500
/** Every so many receipts are asked for once more. */
const ASKED_TWICE = 4

/** What all of them were told, as one. */
export const journalOf = (tills: readonly CountingTill[]): Map<string, string> =>
  new Map(tills.flatMap(({ journal }) => [...journal]))

/** A till that writes down what the server acknowledged, and asks again for what it never heard of. */
export class CountingTill {
  /** Receipt numbers of everything that was acknowledged, by the ids of the holds. */
  readonly journal = new Map<string, string>()
  /** The same with their vouchers and moments, one that was given twice twice. */
  readonly receipts: GivenReceipt[] = []
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

  /** The same cashier, logged in anew: a token lives ten minutes, and two hundred kills take longer. */
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

  /** One after the other until it `isOver`, each asked for again until the till knows. Throws at a refusal that no repeat would change. */
  async redeemAll(nextSerial: () => string, isOver: () => boolean, patience: Patience): Promise<void> {
    while (!isOver() && !patience.givesUp.aborted) {
      const nextOne = sleep(PACE_MS)
      const attempt = { serial: nextSerial(), key: newHoldKey() }
      const tell = (became: string) => this.#insist(() => this.#tell(attempt, became), patience)
      await this.#insist(() => this.#till.verify(attempt.serial, attempt.key), patience)
      const redeemed = await tell('redeemed')
      if (redeemed) this.#note(attempt, redeemed)
      // As after an answer that was lost.
      const again = this.receipts.length % ASKED_TWICE === 0 && (await tell('asking'))
      if (again) this.#note(attempt, again)
      await nextOne
    }
  }

  /** The same again until it succeeds; `undefined` once it gives up. */
  async #insist(ask: () => Promise<Reply>, { logIn, givesUp }: Patience): Promise<Reply | undefined> {
    while (!givesUp.aborted) {
      // nginx answers in HTML where no server does.
      const answer = await ask().catch(() => undefined)
      const isLater = answer?.status === 200 && outcomeIn(answer)?.state === 'later'
      if (answer?.status === 200 && !isLater) return answer
      this.#add(isLater ? 'later' : answer ? outcomeOf(answer) : 'no answer')
      // A token lives ten minutes.
      if (answer?.status === 401) this.#till = await logIn().catch(() => this.#till)
      else if (answer && !isLater && !isForLater(answer)) throw new Error(`refused for good: ${outcomeOf(answer)}`)
      await sleep(ASK_AGAIN_MS)
    }
    return undefined
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
    const known = this.journal.get(key.id)
    if (answer.status !== 200) {
      // Refused only where somebody else was quicker, and what was acknowledged stays so.
      if (!TAKEN.includes(answer.error ?? '') || known) throw new Error(`${serial} was refused: ${outcomeOf(answer)}`)
      return
    }
    const outcome = outcomeIn(answer)
    const receipt = outcome?.state === 'redeemed' ? outcome.receipt : undefined
    const isIts = receipt?.id === key.id && receipt.serial === serial
    if (!isIts || (known ?? receipt.receipt_number) !== receipt.receipt_number)
      throw new Error(`${serial} should be redeemed${known ? ` as ${known}` : ''}: ${JSON.stringify(outcome)}`)
    this.journal.set(key.id, receipt.receipt_number)
    this.receipts.push({ id: key.id, serial, number: receipt.receipt_number, at: performance.now() })
  }

  async #redeem(attempt: Attempt): Promise<Reply> {
    for (;;) {
      const answer = await this.#tell(attempt, 'redeemed')
      if (answer.status !== 200 || outcomeIn(answer)?.state !== 'later') return answer
    }
  }

  #tell = ({ key: { id, secret } }: Attempt, became: string): Promise<Reply> =>
    syncRows(this.#ask, [{ became, id, secret }])
}

const isForLater = ({ status, error }: Pick<Reply, 'status' | 'error'>) =>
  status >= 500 || status === 429 || error === 'VOUCHER_BUSY'

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
  if (LONG_RUN) console.log([...sums].map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`).join('\n'))
  return sums
}
