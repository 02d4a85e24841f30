import { databaseCode, isUnavailable } from './databaseError.ts'

/** Of one statement: enough that sixty-four tills at once are one packet. */
const ROWS_AT_MOST = 64

/** A batch that takes so long waits for somebody's lock, or for a slow disk: the next one does not wait for it. */
const STALLED_MS = 100

/** Each needs a connection of its own. */
const UNDER_WAY = 4

interface Waiting<Row, Answer> {
  row: Row
  isGone: () => boolean
  resolve: (answer: Answer) => void
  reject: (reason: unknown) => void
}

/** Whoever asked has hung up before their row was sent. */
export class HungUp extends Error {
  override name = 'HungUp' as const
}

/**
 * Calls for the same statement that come while it is under way go together in the next one. A call that finds nobody waiting goes at once. The
 * next batch goes when the one before it has ended, or has stalled: two at a time are half as large, and each costs the database and this process
 * what three rows do. A batch that fails as a whole is run row by row, so that no row fails another; not where the database itself is away.
 */
export class Batch<Row, Answer> {
  readonly #run: (rows: readonly Row[]) => Promise<readonly Answer[]>
  readonly #waiting: Waiting<Row, Answer>[] = []
  #underWay = 0
  #latest = { hasEnded: true, sentAt: 0 }
  #stall: ReturnType<typeof setTimeout> | undefined

  /** `run` gives an answer for each row, in their order. */
  constructor(run: (rows: readonly Row[]) => Promise<readonly Answer[]>) {
    this.#run = run
  }

  /** The answer to one row. Rejects with what `run` throws for it alone, and with HungUp for one that `isGone` before it was sent. */
  ask(row: Row, isGone: () => boolean = () => false): Promise<Answer> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ row, isGone, resolve, reject })
      // All that the same turn of the event loop has read is there by then.
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

/** The next row would fare no better. What lost against another transaction (40) would. */
const isAway = (error: unknown): boolean => isUnavailable(error) && databaseCode(error)?.startsWith('40') !== true
