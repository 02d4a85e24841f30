import { setTimeout as sleep } from 'node:timers/promises'
import type { SyncOutcome } from '../../../src/contract/redemptions/sync.ts'
import type { Ask, Reply } from '../api/portalClient.ts'
import { newHoldKey, syncRows, type HoldKey, type TestTill } from './testTill.ts'

interface Attempt {
  serial: string
  key: HoldKey
}

/** Another till has the voucher. */
const TAKEN = ['VOUCHER_HELD', 'VOUCHER_ALREADY_USED']

export interface GivenReceipt {
  /** The id of the redemption, which is the id of the till's hold. */
  id: string
  serial: string
  number: string
  /** The moment, by `performance.now()`. */
  at: number
}

/** For long faults: `logIn` is called when the token has expired, and `givesUp` ends the till even with unfinished vouchers. */
interface Patience {
  logIn: () => Promise<TestTill>
  givesUp: AbortSignal
}

const PACE_MS = 700
const ASK_AGAIN_MS = 500
/** Every fourth receipt is asked for a second time. */
const ASKED_TWICE = 4

/** Returns the journals of all tills in one map. */
export const journalOf = (tills: readonly CountingTill[]): Map<string, string> =>
  new Map(tills.flatMap(({ journal }) => [...journal]))

/** A till that records what the server acknowledged, and asks again for the answers that it missed. */
export class CountingTill {
  /** Receipt numbers of all acknowledged redemptions, by the ids of the holds. */
  readonly journal = new Map<string, string>()
  /** The receipts with their vouchers and moments. A receipt that was given twice is there twice. */
  readonly receipts: GivenReceipt[] = []
  /** The number of each answer during a fault: `200`, `503 DB_UNAVAILABLE`, the system's error code for a connection that ended … */
  readonly outcomes = new Map<string, number>()
  /** The system's error code that ended `redeemUntilDeath`: ECONNREFUSED if the port is closed. */
  lineEnded: string | undefined
  readonly #attempts: Attempt[] = []
  readonly #ask: Ask
  #till: TestTill

  constructor(ask: Ask, till: TestTill) {
    this.#ask = ask
    this.#till = till
  }

  /** Goes on with a new login of the same cashier: a token lives ten minutes, and two hundred kills take longer. */
  goOnAs(till: TestTill): void {
    this.#till = till
  }

  /**
   * Redeems one voucher after the other, at most one in `everyMs`, until the server no longer answers. A 503 is no final answer, because a server may
   * lose its disk a moment before it dies; `askAgain` asks for it later.
   */
  async redeemUntilDeath(serials: Iterable<string> | AsyncIterable<string>, everyMs = 0): Promise<void> {
    for await (const serial of serials) {
      const nextOne = sleep(everyMs)
      try {
        await this.#try(serial)
      } catch (error) {
        // `fetch` throws a TypeError when the server is gone.
        if (!(error instanceof TypeError)) throw error
        this.lineEnded = (error.cause as NodeJS.ErrnoException).code ?? error.message
        this.#add(this.lineEnded)
        return
      }
      await nextOne
    }
  }

  /** Redeems one voucher in `everyMs` until `isOver`, and goes on after every answer. `askAgain` asks later for those without a final answer. */
  async redeemThrough(serials: readonly string[], everyMs: number, isOver: () => boolean): Promise<void> {
    for (const serial of serials) {
      if (isOver()) return
      const nextOne = sleep(everyMs)
      await this.#try(serial)
      await nextOne
    }
  }

  /**
   * Repeats every attempt since the last call, with its own key. An acknowledged one must get the same receipt. For `patienceMs` a server that has
   * just started may answer that its database is not ready.
   */
  async askAgain(patienceMs = 0): Promise<void> {
    const deadline = performance.now() + patienceMs
    for (const attempt of this.#attempts.splice(0)) {
      let answer = await this.#askOnce(attempt)
      while (answer.status === 503 && performance.now() < deadline) answer = await this.#askOnce(attempt)
      this.#note(attempt, answer)
    }
  }

  /**
   * Redeems one voucher after the other until `isOver`, and repeats each until it gets a final answer. Throws for a refusal that no repeat would
   * change.
   */
  async redeemAll(nextSerial: () => string, isOver: () => boolean, patience: Patience): Promise<void> {
    while (!isOver() && !patience.givesUp.aborted) {
      const nextOne = sleep(PACE_MS)
      const attempt = { serial: nextSerial(), key: newHoldKey() }
      const tell = (became: string) => this.#insist(() => this.#tell(attempt, became), patience)
      await this.#insist(() => this.#till.verify(attempt.serial, attempt.key), patience)
      const redeemed = await tell('redeemed')
      if (redeemed) this.#note(attempt, redeemed)
      // Asks again, as after a lost answer.
      const again = this.receipts.length % ASKED_TWICE === 0 && (await tell('asking'))
      if (again) this.#note(attempt, again)
      await nextOne
    }
  }

  /** Repeats the call until it succeeds. Returns `undefined` once the till gives up. */
  async #insist(ask: () => Promise<Reply>, { logIn, givesUp }: Patience): Promise<Reply | undefined> {
    while (!givesUp.aborted) {
      // Without a server nginx answers in HTML, which cannot be read as JSON.
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
    // During a fault the till fills up with holds that could not be settled.
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
      // Only a voucher that another till took first may be refused, and never one that was acknowledged.
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

/** Returns the outcome of the one row in a call. */
const outcomeIn = ({ data }: Reply): SyncOutcome | undefined => (data as { outcomes?: SyncOutcome[] }).outcomes?.[0]

/** True for the long form of the fault tests (`npm run test:faults`), which a release needs. */
export const LONG_RUN = process.env['LOAD'] === 'long'

/** Returns `200` or `409 VOUCHER_ALREADY_USED`, for example. It marks an answer to be repeated that has no Retry-After. */
function outcomeOf({ status, error, headers }: Pick<Reply, 'status' | 'error' | 'headers'>): string {
  const isForLater = status === 503 || error === 'VOUCHER_BUSY'
  const lacks = isForLater && !headers.has('retry-after') ? 'without Retry-After' : undefined
  return [status, error, lacks].filter(Boolean).join(' ')
}

/** Counts the answers of all `tills` together. The long form prints the counts. */
export function outcomesOf(tills: readonly CountingTill[]): Map<string, number> {
  const sums = new Map<string, number>()
  for (const [outcome, count] of tills.flatMap(({ outcomes }) => [...outcomes])) {
    sums.set(outcome, (sums.get(outcome) ?? 0) + count)
  }
  if (LONG_RUN) console.log([...sums].map(([outcome, count]) => `${String(count).padStart(8)}  ${outcome}`).join('\n'))
  return sums
}
