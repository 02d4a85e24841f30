import { setImmediate as answerFirst } from 'node:timers/promises'
import { databaseCode } from '../db/engine/databaseError.ts'
import type { Log } from '../log.ts'
import { BoundedQueue } from '../services/BoundedQueue.ts'

/** Work that an answer does not wait for. */
export interface Background {
  /**
   * Runs `work` in its turn. A failure is logged as `failure`, which also names the queue: work waits only for work of its own kind.
   * Returns false when the queue is full; the work is then dropped.
   */
  run(failure: string, work: () => Promise<unknown>): boolean
  /** Resolves when no work is left, including work that was started meanwhile. */
  settled(): Promise<void>
}

/**
 * The limits of one kind of work. More at once would take database connections from calls that wait for an answer. Excess work is dropped, not
 * kept.
 */
const LIMITS = { atOnce: 1, waiting: 999 }

export function background(log: Log): Background {
  const queues = new Map<string, BoundedQueue>()
  const started = new Set<Promise<void>>()
  const queueOf = (kind: string) => {
    const queue = queues.get(kind) ?? new BoundedQueue(LIMITS)
    queues.set(kind, queue)
    return queue
  }

  return {
    run(failure, work) {
      const queue = queueOf(failure)
      if (queue.isFull()) {
        log.warn('background_full', { work: failure })
        return false
      }
      const done: Promise<void> = queue.run(() => logged(log, failure, work)).finally(() => started.delete(done))
      started.add(done)
      return true
    },
    async settled() {
      while (started.size > 0) await Promise.all(started)
    },
  }
}

async function logged(log: Log, failure: string, work: () => Promise<unknown>): Promise<void> {
  try {
    // The work's first steps run on this thread; without this the answer would wait for them.
    await answerFirst()
    await work()
  } catch (error) {
    log.error(failure, { code: databaseCode(error), name: error instanceof Error ? error.name : undefined })
  }
}
