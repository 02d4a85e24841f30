import { setImmediate as answerFirst } from 'node:timers/promises'
import { databaseCode } from '../db/engine/databaseError.ts'
import type { Log } from '../log.ts'
import { limitConcurrency } from '../services/limitConcurrency.ts'

/** Work that an answer does not wait for. */
export interface Background {
  /** Starts `work` in its turn; a failure is logged as `failure`, and told nobody. */
  run(failure: string, work: () => Promise<unknown>): void
  /** When all that was started by now, and by then, is done. */
  settled(): Promise<void>
}

/** More at once would take the database's connections from those who wait for an answer. */
const AT_ONCE = 2
/** A flood is dropped, not kept. */
const AT_MOST = 1_000

export function background(log: Log): Background {
  const inTurn = limitConcurrency(AT_ONCE)
  const running = new Set<Promise<void>>()

  async function logged(failure: string, work: () => Promise<unknown>): Promise<void> {
    try {
      // The first steps of the work are taken on this thread: without this the answer would wait for them.
      await answerFirst()
      await inTurn(work)
    } catch (error) {
      log.error(failure, { code: databaseCode(error), name: error instanceof Error ? error.name : undefined })
    }
  }

  return {
    run(failure, work) {
      if (running.size >= AT_MOST) {
        log.warn('background_full', { work: failure })
        return
      }
      const done: Promise<void> = logged(failure, work).finally(() => running.delete(done))
      running.add(done)
    },
    async settled() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}
