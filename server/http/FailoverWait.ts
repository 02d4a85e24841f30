import { setTimeout as sleep } from 'node:timers/promises'
import { wasCutOff } from '../db/engine/databaseError.ts'

/** A database that takes connections and never answers is noticed after four seconds, and then everybody is told (FLT-04). */
const LONGEST_MS = 3_500
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
    const began = this.#clock.now()
    for (;;) {
      try {
        const answer = await read()
        this.#awaySince = undefined
        return answer
      } catch (error) {
        if (!wasCutOff(error)) throw error
        this.#awaySince ??= began
        if (this.#clock.now() - this.#awaySince > LONGEST_MS || isGone()) throw error
        await this.#clock.pause()
      }
    }
  }
}
