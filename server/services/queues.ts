import { availableParallelism } from 'node:os'
import { BoundedQueue } from './BoundedQueue.ts'
import { AGAIN_SOON, Refusal } from './Refusal.ts'

/**
 * Limits expensive work: one set of queues for each process. Calls wait in one of the first three, and within them for what
 * else they need.
 */
export const openQueues = () => ({
  /**
   * Calls for which somebody waits at a counter; also the refresh of a session. They go together in a few statements
   * (db/engine/Batch.ts), so many at a time are answered as quickly as one.
   */
  counter: new BoundedQueue({ atOnce: 128, waiting: 500, longestMs: 750 }),
  /**
   * All other calls. At most half of them for one organisation, or for those who are not logged in, of whom more than seventy may wait below
   * for the check of a password. Who waits longer is better told to come again.
   */
  others: new BoundedQueue({ atOnce: 160, ofOneKey: 80, waiting: 100, longestMs: 500 }),
  /**
   * Uploads that wait on tills, with no customer there: few at a time, since a counter waits behind their rows. A till waits eight seconds for
   * its answer, and is sent away before it counts that as a failure.
   */
  uploads: new BoundedQueue({ atOnce: 16, waiting: 3_000, longestMs: 5_000 }),
  /**
   * Hashes for a PIN, a device that has logged in before, or whoever has shown a session or a link. Each takes 19 MiB and a core; with those of
   * strangers, who leave half of the cores to everybody else, they are as many as Node has threads for such work.
   */
  hashes: new BoundedQueue({ atOnce: 3, waiting: 200 }),
  /** Behind more than these, people would have hung up. */
  strangersHashes: new BoundedQueue({ atOnce: Math.min(2, Math.max(1, availableParallelism() >> 1)), waiting: 20 }),
  /** Password checks, by what their failures are counted under: as many as may fail before there is a wait. */
  attempts: new BoundedQueue({ ofOneKey: 5, waiting: 50, refusal: AGAIN_SOON }),
  /** Look-ups of serials by user: each sees what those before it have counted. */
  lookUps: new BoundedQueue({ ofOneKey: 1, waiting: 1_000 }),
  /** Strangers' files that are looked into, by organisation. A PDF takes a process of its own for half a second. */
  inspections: new BoundedQueue({ atOnce: 1, waiting: 100 }),
  /** Reports and exports by organisation: as many as there are connections for them, of which one leaves half to all others (RPT-07). */
  readings: new BoundedQueue({ atOnce: 10, ofOneKey: 5, waiting: 0 }),
  /** Reports by user (RPT-07). */
  reports: new BoundedQueue({
    ofOneKey: 2,
    waiting: 0,
    refusal: new Refusal('TOO_MANY_REPORTS', { retryAfterSeconds: 5 }),
  }),
  /** Files that are sent to the embedded store (UPL-07). */
  files: new BoundedQueue({ atOnce: 50, waiting: 0 }),
})

export type Queues = ReturnType<typeof openQueues>
