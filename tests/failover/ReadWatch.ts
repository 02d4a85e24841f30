import { setTimeout as sleep } from 'node:timers/promises'
import { get, logIn, type Ask } from '../support/api/portalClient.ts'
import type { User } from '../support/database/builders.ts'

const EVERY_MS = 250

/** A merchant who reads the portal again and again, and notes how long answers take and when they fail. */
export class ReadWatch {
  readonly #ask: Ask
  readonly #user: Pick<User, 'loginKind' | 'loginName'>
  readonly #away: Span[] = []
  readonly #answers: Span[] = []
  #failedAt: number | undefined
  #isOver = false

  constructor(ask: Ask, user: Pick<User, 'loginKind' | 'loginName'>) {
    this.#ask = ask
    this.#user = user
  }

  stop(): void {
    this.#isOver = true
  }

  async watch(): Promise<void> {
    let token = await this.#logIn()
    while (!this.#isOver) {
      const from = performance.now()
      const status = await get(this.#ask, '/api/account/my_info', token).then(
        (answer) => answer.status,
        () => 0,
      )
      const to = performance.now()
      if (status === 200) {
        this.#answers.push({ from, to })
        if (this.#failedAt !== undefined) this.#away.push({ from: this.#failedAt, to })
        this.#failedAt = undefined
      } else if (status === 401) {
        // The token has expired after ten minutes. A login is a write, which waits for the failover.
        token = await this.#logIn()
      } else this.#failedAt ??= from
      await sleep(EVERY_MS)
    }
  }

  /** The longest time without an answer that ended after `since`, in seconds: from the first failed request to the next answer, or to now. */
  longestAway(since: number): number {
    const now = performance.now()
    const present = this.#failedAt === undefined ? [] : [{ from: this.#failedAt, to: now }]
    return longestOf([...this.#away, ...present], since)
  }

  /** The slowest answer after `since`, in seconds. */
  slowest(since: number): number {
    return longestOf(this.#answers, since)
  }

  async #logIn(): Promise<string | undefined> {
    while (!this.#isOver) {
      const signed = await logIn(this.#ask, this.#user).catch(() => undefined)
      if (signed) return signed.token
      await sleep(EVERY_MS)
    }
    return undefined
  }
}

interface Span {
  from: number
  to: number
}

const longestOf = (spans: readonly Span[], since: number) =>
  Math.max(0, ...spans.filter(({ to }) => to >= since).map(({ from, to }) => to - from)) / 1_000
