import { availableParallelism } from 'node:os'
import { BoundedQueue } from './BoundedQueue.ts'
import { AGAIN_SOON, Refusal } from './Refusal.ts'

/** Node's thread pool has four threads, which also read files and look up host names. */
const HASH_THREADS = 4
const STRANGER_THREADS = Math.min(2, Math.max(1, availableParallelism() >> 1))

/**
 * Opens the queues that limit expensive work, one set for each process. Every call first waits in one of the first three queues, and then in each
 * other queue that it needs.
 */
export const openQueues = () => ({
  /**
   * Calls of a counter with a waiting customer, and the refresh of a session. They are combined into a few statements (db/engine/Batch.ts), so many
   * at once are answered as quickly as one.
   */
  counter: new BoundedQueue({ atOnce: 128, waiting: 500, longestMs: 750 }),
  /**
   * All other calls. One organisation gets at most half of the places, and so do all callers who are not logged in; more than seventy of those
   * callers may wait below for a password check. After a longer wait it is better to tell the caller to come again.
   */
  others: new BoundedQueue({ atOnce: 160, ofOneKey: 80, waiting: 100, longestMs: 500 }),
  /**
   * Uploads of tills, without a waiting customer: few at a time, because a counter's call waits for the rows that they lock. A till counts eight
   * seconds without an answer as a failure, so it is sent away earlier.
   */
  uploads: new BoundedQueue({ atOnce: 16, waiting: 3_000, longestMs: 5_000 }),
  /**
   * Hashes for a PIN, for a device that has logged in before, or for a caller with a session or a link. Each hash takes 19 MiB and a core. This queue
   * and the next one together use all hash threads of Node; strangers never get more than half of the cores.
   */
  hashes: new BoundedQueue({ atOnce: HASH_THREADS - STRANGER_THREADS, waiting: 200 }),
  /** Hashes for all other callers. If more could wait, people would hang up before their turn. */
  strangersHashes: new BoundedQueue({ atOnce: STRANGER_THREADS, waiting: 20 }),
  /** Password checks, by the key under which failures are counted. At most five run at once, because the fifth failure begins a wait. */
  attempts: new BoundedQueue({ ofOneKey: 5, waiting: 50, refusal: AGAIN_SOON }),
  /** Look-ups of serials by user, one at a time: each look-up sees the count of the earlier ones. */
  lookUps: new BoundedQueue({ ofOneKey: 1, waiting: 1_000 }),
  /** Checks of uploaded files, by organisation. A PDF takes a process of its own for half a second. */
  inspections: new BoundedQueue({ atOnce: 1, waiting: 100 }),
  /** Reports and exports by organisation: as many as there are connections for them. One organisation gets half of them at most (RPT-07). */
  readings: new BoundedQueue({ atOnce: 10, ofOneKey: 5, waiting: 0 }),
  /** Reports by user (RPT-07). */
  reports: new BoundedQueue({
    ofOneKey: 2,
    waiting: 0,
    refusal: new Refusal('TOO_MANY_REPORTS', { retryAfterSeconds: 5 }),
  }),
  /** Files being sent to the embedded store (UPL-07). */
  files: new BoundedQueue({ atOnce: 50, waiting: 0 }),
})

export type Queues = ReturnType<typeof openQueues>
