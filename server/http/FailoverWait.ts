import { setTimeout as sleep } from 'node:timers/promises'
import { wasCutOff } from '../db/engine/databaseError.ts'

/** With the last try, which may take four seconds, as long as the portal waits for an answer (src/api/transport.ts). */
const LONGEST_MS = 4_000
const AGAIN_MS = 200

const CLOCK = { now: () => performance.now(), pause: (): Promise<void> => sleep(AGAIN_MS) }

/**
 * A failover takes some seconds until a database answers again, be it a standby. To read twice changes nothing, so reading waits
 * for that. In an outage that has lasted for longer, who reads is told at once.
 */
export class FailoverWait {
  readonly #clock: typeof CLOCK
  #awaySince: number | undefined

  constructor(clock = CLOCK) {
    this.#clock = clock
  }

  /** What `read` gives; what it throws, once nothing is to be waited for, or `isGone` says that nobody waits any more. */
  async read<T>(read: () => Promise<T>, isGone: () => boolean): Promise<T> {
    for (;;) {
      try {
        const answer = await read()
        this.#awaySince = undefined
        return answer
      } catch (error) {
        if (!wasCutOff(error)) throw error
        this.#awaySince ??= this.#clock.now()
        if (this.#clock.now() - this.#awaySince > LONGEST_MS || isGone()) throw error
        await this.#clock.pause()
      }
    }
  }
}
