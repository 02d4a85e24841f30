import { setImmediate as answerFirst } from 'node:timers/promises'
import pLimit, { type LimitFunction } from 'p-limit'
import { databaseCode } from '../db/engine/databaseError.ts'
import type { Log } from '../log.ts'

/** Work that an answer does not wait for. */
export interface Background {
  /**
   * Starts `work` in its turn; a failure is logged as `failure`, which also names the queue: work waits for its own kind alone.
   * False when the queue is full, and the work is dropped.
   */
  run(failure: string, work: () => Promise<unknown>): boolean
  /** When all that was started by now, and by then, is done. */
  settled(): Promise<void>
}

/** Of a kind. More at once would take the database's connections from those who wait for an answer. */
const AT_ONCE = 1
/** Of a kind. A flood is dropped, not kept. */
const AT_MOST = 1_000

export function background(log: Log): Background {
  const queues = new Map<string, Queue>()
  const queueOf = (kind: string) => {
    const queue = queues.get(kind) ?? { inTurn: pLimit(AT_ONCE), running: new Set() }
    queues.set(kind, queue)
    return queue
  }
  const allRunning = () => [...queues.values()].flatMap(({ running }) => Array.from(running))

  return {
    run(failure, work) {
      const { inTurn, running } = queueOf(failure)
      if (running.size >= AT_MOST) {
        log.warn('background_full', { work: failure })
        return false
      }
      const done: Promise<void> = logged(log, failure, () => inTurn(work)).finally(() => running.delete(done))
      running.add(done)
      return true
    },
    async settled() {
      for (let all = allRunning(); all.length > 0; all = allRunning()) await Promise.all(all)
    },
  }
}

interface Queue {
  inTurn: LimitFunction
  running: Set<Promise<void>>
}

async function logged(log: Log, failure: string, work: () => Promise<unknown>): Promise<void> {
  try {
    // The first steps of the work are taken on this thread: without this the answer would wait for them.
    await answerFirst()
    await work()
  } catch (error) {
    log.error(failure, { code: databaseCode(error), name: error instanceof Error ? error.name : undefined })
  }
}
