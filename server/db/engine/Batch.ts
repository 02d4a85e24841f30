import { databaseCode, isUnavailable } from './databaseError.ts'

/** Rows per statement: the calls of sixty-four tills at once fit into one packet. */
const ROWS_AT_MOST = 64

/** A batch that takes longer waits for a lock or a slow disk: the next one does not wait for it. */
const STALLED_MS = 100

/** Batches at once; each needs a connection of its own. */
const UNDER_WAY = 4

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
 * Collects calls for the same statement while it is under way and sends them together in the next batch. A call goes at once when none is under way.
 * The next batch goes when the one before it has ended or has stalled: two batches at a time would be half as large, and each costs the database
 * and this process as much as three more rows. A batch that fails as a whole runs row by row, so that no row fails another; but not when the database
 * itself is away.
 */
export class Batch<Row, Answer> {
  readonly #run: (rows: readonly Row[]) => Promise<readonly Answer[]>
  readonly #waiting: Waiting<Row, Answer>[] = []
  #underWay = 0
  #latest = { hasEnded: true, sentAt: 0 }
  #stall: ReturnType<typeof setTimeout> | undefined

  /** `run` returns an answer for each row, in their order. */
  constructor(run: (rows: readonly Row[]) => Promise<readonly Answer[]>) {
    this.#run = run
  }

  /** Returns the answer to one row. Rejects with the error of `run`, and with HungUp when `isGone` is true before it was sent. */
  ask(row: Row, isGone: () => boolean = () => false): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, isGone, resolve, reject })
      // By then all calls read in the same turn of the event loop are waiting.
      setImmediate(() => this.#send())
    })
  }

  #send(): void {
    clearTimeout(this.#stall)
    if (this.#underWay >= UNDER_WAY || this.#waiting.length === 0) return
    const untilStalled = this.#latest.hasEnded ? 0 : this.#latest.sentAt + STALLED_MS - performance.now()
    if (untilStalled > 0) {
      this.#stall = setTimeout(() => this.#send(), untilStalled)
      return
    }
    const lot = this.#waiting.splice(0, ROWS_AT_MOST).filter((one) => {
      const isGone = one.isGone()
      if (isGone) one.reject(new HungUp())
      return !isGone
    })
    const sent = { hasEnded: false, sentAt: performance.now() }
    this.#latest = sent
    this.#underWay += 1
    void this.#answer(lot).finally(() => {
      sent.hasEnded = true
      this.#underWay -= 1
      this.#send()
    })
  }

  async #answer(lot: readonly Waiting<Row, Answer>[]): Promise<void> {
    if (lot.length === 0) return
    try {
      const answers = await this.#run(lot.map(({ row }) => row))
      for (const [at, { resolve }] of lot.entries()) resolve(answers[at]!)
    } catch (error) {
      if (lot.length > 1 && !isAway(error)) return this.#answerOneByOne(lot)
      for (const { reject } of lot) reject(error)
    }
  }

  async #answerOneByOne(lot: readonly Waiting<Row, Answer>[]): Promise<void> {
    let away: unknown
    for (const { row, resolve, reject } of lot) {
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

/** True if the next row would fail too. After losing against another transaction (40) it would not. */
const isAway = (error: unknown): boolean => isUnavailable(error) && databaseCode(error)?.startsWith('40') !== true
