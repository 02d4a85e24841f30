import { setTimeout as sleep } from 'node:timers/promises'
import { get, signIn, type Ask } from '../support/api/portalClient.ts'
import type { User } from '../support/database/builders.ts'

const EVERY_MS = 250

/** A merchant who looks at the portal again and again, and notes when it does not answer. */
export class ReadWatch {
  readonly #ask: Ask
  readonly #user: Pick<User, 'loginKind' | 'loginName'>
  readonly #away: { from: number; to: number }[] = []
  #isOver = false

  constructor(ask: Ask, user: Pick<User, 'loginKind' | 'loginName'>) {
    this.#ask = ask
    this.#user = user
  }

  stop(): void {
    this.#isOver = true
  }

  async watch(): Promise<void> {
    let token = await this.#signIn()
    let answeredAt = performance.now()
    while (!this.#isOver) {
      const status = await get(this.#ask, '/api/account/my_info', token).then(
        (answer) => answer.status,
        () => 0,
      )
      if (status === 401) token = await this.#signIn()
      if (status === 200) answeredAt = this.#answered(answeredAt)
      await sleep(EVERY_MS)
    }
  }

  /** The longest time without an answer that began after `since`, in seconds. */
  longestAway(since: number): number {
    const lengths = this.#away.filter(({ to }) => to >= since).map(({ from, to }) => to - from)
    return Math.max(0, ...lengths) / 1_000
  }

  #answered(before: number): number {
    const now = performance.now()
    // One answer more than a second after the last, where four are wanted.
    if (now - before > 4 * EVERY_MS) this.#away.push({ from: before, to: now })
    return now
  }

  async #signIn(): Promise<string | undefined> {
    while (!this.#isOver) {
      const signed = await signIn(this.#ask, this.#user).catch(() => undefined)
      if (signed) return signed.token
      await sleep(EVERY_MS)
    }
    return undefined
  }
}
