import { isUnsent, type TillRow } from '../store/till.ts'
import { sendOne, uploadTogether, type Attempt, type SenderPorts } from './tillAttempts.ts'

/** When a row fails so often, the row itself may be the problem, not the connection. */
const DOUBTED_AFTER = 5

/**
 * What the tries of one round say about the connection. One row that never gets through must not hold up all the money behind it;
 * but a connection that is away fails every row, for hours, and is not to be tried with each of them.
 */
export class SendingRound {
  readonly #ports: SenderPorts
  readonly #due: readonly TillRow[]
  #gotThrough = false

  constructor(ports: SenderPorts, due: readonly TillRow[]) {
    this.#ports = ports
    this.#due = due
  }

  /** What `attempt`, which was made with `row` and perhaps others, means for the rows behind: whether they are tried now. */
  async after(row: TillRow, attempt: Attempt): Promise<Attempt> {
    if (attempt === 'rests for the server') return attempt
    if (attempt === 'goes on') {
      this.#gotThrough = true
      return attempt
    }
    if (!this.#gotThrough && row.attempts + 1 >= DOUBTED_AFTER) return this.#tryAnother(row)
    return this.#gotThrough ? 'goes on' : attempt
  }

  /** One of the others shows whether it is the connection: another one in each round, for it may have the same fault. */
  async #tryAnother(failed: TillRow): Promise<Attempt> {
    const others = this.#due.filter(({ id }) => id !== failed.id)
    const other = others[failed.attempts % others.length]
    if (!other) return 'rests for the connection'
    const attempt = isUnsent(other) ? await uploadTogether(this.#ports, [other]) : await sendOne(this.#ports, other)
    if (attempt === 'rests for the connection' || attempt === 'rests for the server') return attempt
    this.#gotThrough = true
    return 'goes on'
  }
}
