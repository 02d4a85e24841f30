import { setTimeout as sleep } from 'node:timers/promises'
import { wasCutOff } from '../db/engine/databaseError.ts'

/** A database that takes connections and never answers is noticed after four seconds, and then everybody is told (FLT-04). */
const LONGEST_MS = 3_500
const AGAIN_MS = 200

const CLOCK = { now: () => performance.now(), pause: (): Promise<void> => sleep(AGAIN_MS) }

/**
 * A failover takes some seconds until a database answers again, be it a standby. To read twice changes nothing, so reading waits
 * for that. In an outage that has lasted for longer, who reads is told at once. It is over when a read that met it is answered, or
 * when none has met it for as long; an answer to anybody else may have needed no database.
 */
export class FailoverWait {
  readonly #clock: typeof CLOCK
  #away: { since: number; metAt: number } | undefined

  constructor(clock = CLOCK) {
    this.#clock = clock
  }

  /** What `read` gives; what it throws, once nothing is to be waited for, or `isGone` says that nobody waits any more. */
  async read<T>(read: () => Promise<T>, isGone: () => boolean): Promise<T> {
    const began = this.#clock.now()
    for (let hasMet = false; ; hasMet = true) {
      try {
        const answer = await read()
        if (hasMet) this.#away = undefined
        return answer
      } catch (error) {
        if (!wasCutOff(error)) throw error
        if (this.#awayFor(began) > LONGEST_MS || isGone()) throw error
        await this.#clock.pause()
      }
    }
  }

  /** How long the outage has lasted that a read has just met which began at `began`. */
  #awayFor(began: number): number {
    const metAt = this.#clock.now()
    const isOver = this.#away === undefined || metAt - this.#away.metAt > LONGEST_MS
    const since = isOver ? began : this.#away!.since
    this.#away = { since, metAt }
    return metAt - since
  }
}
