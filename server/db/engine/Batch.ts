import { databaseCode, isUnavailable } from './databaseError.ts'

/** Rows per statement: the calls of sixty-four tills at once fit into one packet. */
const MAX_ROWS = 64

/** A batch that takes longer waits for a lock or a slow disk. The next batch does not wait for such a batch. */
const STALLED_MS = 100

/** Batches at once; each needs a connection of its own. */
const MAX_BATCHES = 4

interface Waiting<Row, Answer> {
  row: Row
  isGone: () => boolean
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
}

/** The caller hung up before its row was sent. */
export class HungUp extends Error {
  override name = 'HungUp' as const
}

/**
 * While a batch is running, collects further calls of the same statement and sends them together. A call is sent at once when no batch is running.
 * The next batch waits until the batch before it has ended or stalled, because few large batches are cheaper: a batch costs the database and this
 * process as much as three more rows. If a batch fails, its rows run one by one, so that no row makes another fail. If the database is unavailable,
 * all rows of the batch fail at once.
 */
export class Batch<Row, Answer> {
  readonly #run: (rows: readonly Row[]) => Promise<readonly Answer[]>
  readonly #waiting: Waiting<Row, Answer>[] = []
  #running = 0
  #latest = { hasEnded: true, sentAt: 0 }
  #stall: ReturnType<typeof setTimeout> | undefined

  /** `run` returns an answer for each row, in their order. */
  constructor(run: (rows: readonly Row[]) => Promise<readonly Answer[]>) {
    this.#run = run
  }

  /** Returns the answer to one row. Rejects with the error of `run`, and with HungUp when `isGone` is true before the row is sent. */
  ask(row: Row, isGone: () => boolean = () => false): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, isGone, resolve, reject })
      // Runs when every call of this turn of the event loop is in the queue.
      setImmediate(() => this.#send())
    })
  }

  #send(): void {
    clearTimeout(this.#stall)
    if (this.#running >= MAX_BATCHES || this.#waiting.length === 0) return
    const untilStalled = this.#latest.hasEnded ? 0 : this.#latest.sentAt + STALLED_MS - performance.now()
    if (untilStalled > 0) {
      this.#stall = setTimeout(() => this.#send(), untilStalled)
      return
    }
    const batch = this.#waiting.splice(0, MAX_ROWS).filter((one) => {
      const isGone = one.isGone()
      if (isGone) one.reject(new HungUp())
      return !isGone
    })
    const sent = { hasEnded: false, sentAt: performance.now() }
    this.#latest = sent
    this.#running += 1
    void this.#answer(batch).finally(() => {
      sent.hasEnded = true
      this.#running -= 1
      this.#send()
    })
  }

  async #answer(batch: readonly Waiting<Row, Answer>[]): Promise<void> {
    if (batch.length === 0) return
    try {
      const answers = await this.#run(batch.map(({ row }) => row))
      for (const [at, { resolve }] of batch.entries()) resolve(answers[at]!)
    } catch (error) {
      if (batch.length > 1 && !isAway(error)) return this.#answerOneByOne(batch)
      for (const { reject } of batch) reject(error)
    }
  }

  async #answerOneByOne(batch: readonly Waiting<Row, Answer>[]): Promise<void> {
    let away: unknown
    for (const { row, resolve, reject } of batch) {
      if (away !== undefined) {
        reject(away)
        continue
      }
      try {
        const [answer] = await this.#run([row])
        resolve(answer!)
      } catch (error) {
        if (isAway(error)) away = error
        reject(error)
      }
    }
  }
}

/** True if the next row would fail too. An error of SQLSTATE class 40 (lost against another transaction) is about one row only. */
const isAway = (error: unknown): boolean => isUnavailable(error) && databaseCode(error)?.startsWith('40') !== true
