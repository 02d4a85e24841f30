import { availableParallelism } from 'node:os'
import { BoundedQueue } from './BoundedQueue.ts'
import { AGAIN_SOON, Refusal } from './Refusal.ts'

/** Node has as many for such work; files and the names of hosts are looked up by the same. */
const HASH_THREADS = 4
const STRANGERS = Math.min(2, Math.max(1, availableParallelism() >> 1))

/** Opens the queues that limit expensive work, one set for each process. Every call waits in one of the first three, and inside it for the others. */
export const openQueues = () => ({
  /**
   * Calls of a counter with a waiting customer, and the refresh of a session. They are combined into a few statements (db/engine/Batch.ts), so many
   * at a time are answered as quickly as one.
   */
  counter: new BoundedQueue({ atOnce: 128, waiting: 500, longestMs: 750 }),
  /**
   * All other calls. One organisation gets at most half of the places, and so do all callers who are not logged in; of these, more than seventy may
   * wait below for the check of a password. After a longer wait it is better to tell the caller to come again.
   */
  others: new BoundedQueue({ atOnce: 160, ofOneKey: 80, waiting: 100, longestMs: 500 }),
  /**
   * Uploads of tills, without a waiting customer: few at a time, because a counter's call waits behind their rows. A till waits eight seconds for its
   * answer, and is sent away before it counts that as a failure.
   */
  uploads: new BoundedQueue({ atOnce: 16, waiting: 3_000, longestMs: 5_000 }),
  /**
   * Hashes for a PIN, for a device that has logged in before, or for a caller with a session or a link. Each takes 19 MiB and a core. Together with
   * the hashes of strangers, which leave half of the cores free, they are as many as Node has threads for such work.
   */
  hashes: new BoundedQueue({ atOnce: HASH_THREADS - STRANGERS, waiting: 200 }),
  /** Hashes for all other callers. With more of them waiting, people would have hung up. */
  strangersHashes: new BoundedQueue({ atOnce: STRANGERS, waiting: 20 }),
  /** Password checks, by the key of their failures: as many as may fail before there is a wait. */
  attempts: new BoundedQueue({ ofOneKey: 5, waiting: 50, refusal: AGAIN_SOON }),
  /** Look-ups of serials by user, one at a time: each sees the count of those before it. */
  lookUps: new BoundedQueue({ ofOneKey: 1, waiting: 1_000 }),
  /** Checks of uploaded files, by organisation. A PDF takes a process of its own for half a second. */
  inspections: new BoundedQueue({ atOnce: 1, waiting: 100 }),
  /** Reports and exports by organisation: as many as there are connections for them. One organisation leaves half of them to all others (RPT-07). */
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
