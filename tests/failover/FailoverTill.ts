import { setTimeout as sleep } from 'node:timers/promises'
import type { SyncOutcome } from '../../src/contract/redemptions/sync.ts'
import type { Ask, Reply } from '../support/api/portalClient.ts'
import type { User } from '../support/database/builders.ts'
import { newHoldKey, syncRows, testTill, type HoldKey, type TestTill } from '../support/redemptions/testTill.ts'

export interface GivenReceipt {
  /** Of the redemption, which is the till's own key. */
  id: string
  serial: string
  number: string
  /** By `performance.now()`. */
  at: number
}

const PACE_MS = 700
const ASK_AGAIN_MS = 500
/** As long as a device would wait for an answer. */
const LONGEST_MS = 10_000
/** Every so many receipts are asked for once more. */
const ASKED_TWICE = 4

/** A till that redeems one voucher after the other, asks again until it knows, and remembers each receipt. */
export class FailoverTill {
  readonly receipts: GivenReceipt[] = []
  /** How often each refusal came: `503 SERVER_BUSY`, `no answer` … */
  readonly refusals = new Map<string, number>()
  /** What no repeat would change: a voucher of its own that the server would not give it. */
  readonly wrong: string[] = []
  readonly #ask: Ask
  readonly #cashier: Pick<User, 'loginKind' | 'loginName'>
  readonly #givesUp: AbortSignal
  #till: TestTill | undefined

  /** `givesUp` ends it whatever it has in hand. */
  constructor(ask: Ask, cashier: Pick<User, 'loginKind' | 'loginName'>, givesUp: AbortSignal) {
    this.#givesUp = givesUp
    this.#ask = (path, init) => Promise.race([Promise.resolve(ask(path, init)), afterLong()])
    this.#cashier = cashier
  }

  /** Until it `isOver`, and the voucher that it has in hand is redeemed. */
  async redeemAll(nextSerial: () => string, isOver: () => boolean): Promise<void> {
    while (!isOver() && !this.#givesUp.aborted) {
      const nextOne = sleep(PACE_MS)
      await this.#redeemOne(nextSerial())
      await nextOne
    }
  }

  async #redeemOne(serial: string): Promise<void> {
    const key = newHoldKey()
    const held = await this.#insist(async () => (await this.#signedIn()).verify(serial, key))
    if (!held) return
    await this.#noteReceipt('redeemed', key, serial)
    // As after an answer that was lost.
    if (this.receipts.length % ASKED_TWICE === 0) await this.#noteReceipt('asking', key, serial)
  }

  async #noteReceipt(became: 'redeemed' | 'asking', key: HoldKey, serial: string): Promise<void> {
    const told = await this.#insist(async () => judged(await syncRows(this.#ask, [{ became, ...key }])))
    const [outcome] = told?.data.outcomes ?? []
    if (outcome?.state === 'redeemed') this.#note(key, serial, outcome.receipt.receipt_number)
    else if (outcome) this.wrong.push(`said that it was ${became}, and told ${outcome.state}: ${key.id}`)
  }

  #note({ id }: HoldKey, serial: string, number: string): void {
    this.receipts.push({ id, serial, number, at: performance.now() })
  }

  async #signedIn(): Promise<TestTill> {
    return (this.#till ??= await testTill(this.#ask, this.#cashier))
  }

  /** The same again until it succeeds; without an answer where that is no use. */
  async #insist<T>(call: () => Promise<Reply<T>>): Promise<Reply<T> | undefined> {
    while (!this.#givesUp.aborted) {
      // nginx answers in HTML where no server does.
      const answer = await call().catch(() => undefined)
      if (answer?.status === 200) return answer
      const refusal = answer ? `${answer.status} ${answer.error}` : 'no answer'
      this.refusals.set(refusal, (this.refusals.get(refusal) ?? 0) + 1)
      // A token lives ten minutes.
      if (answer?.status === 401) this.#till = undefined
      else if (answer && !isForLater(answer)) return void this.wrong.push(refusal)
      await sleep(ASK_AGAIN_MS)
    }
    return undefined
  }
}

/** A row that was not judged is as a server that is busy. */
function judged(answer: Reply<{ outcomes: SyncOutcome[] }>): typeof answer {
  const isLater = answer.status === 200 && answer.data.outcomes[0]?.state === 'later'
  return isLater ? { ...answer, status: 503, error: 'later' } : answer
}

const isForLater = ({ status, error }: Pick<Reply, 'status' | 'error'>) =>
  status >= 500 || status === 429 || error === 'VOUCHER_BUSY'

async function afterLong(): Promise<never> {
  await sleep(LONGEST_MS, undefined, { ref: false })
  throw new TypeError('no answer')
}
