import { ApiError } from '../../api/ApiError.ts'
import { failureText } from '../../blocks/record/runAction.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { ImportRow } from './ImportDraft.ts'
import type { CheckOutcome, Outcome } from './ImportKind.ts'
import { markOpen, markSent, withOutcome, withRefusal, type ImportRows } from './ImportRows.ts'
import type { ImportRun, ImportState } from './importState.ts'
import type { ValidatedRow } from './validateRows.ts'

/** What the server is asked to do with the rows, in batches one after the other, until none is left or somebody stops it. */
export class ImportRuns {
  readonly #state: ImportState
  readonly #rows: ImportRows
  readonly #store: () => Promise<void>

  constructor(state: ImportState, rows: ImportRows, store: () => Promise<void>) {
    this.#state = state
    this.#rows = rows
    this.#store = store
  }

  /** Asks the server about the rows that have no error here. */
  check() {
    const waiting = () =>
      this.#state.validated.filter(({ row, record }) => record && row.stage === 'open' && !row.checked)
    return this.#run('check', waiting, async (batch) => {
      this.#answer(await this.#rows.kind.check(this.#rows.importId, batch.map(numbered)))
    })
  }

  /** Creates what is ready; rows whose answer was lost come first. */
  commit() {
    const waiting = () => {
      const ready = this.#state.validated.filter(({ row, record }) => record && row.stage !== 'created')
      return [...ready.filter(({ row }) => row.stage === 'sent'), ...ready.filter(({ row }) => row.stage === 'open')]
    }
    return this.#run('commit', waiting, async (batch) => {
      this.#updateBatch(batch, markSent)
      await this.#store()
      const outcomes = await this.#rows.kind
        .commit(this.#rows.importId, batch.map(numbered))
        .catch((error: unknown) => {
          // Where the server said no, nothing was created.
          if (error instanceof ApiError && !mayHaveWorked(error)) this.#updateBatch(batch, markOpen)
          throw error
        })
      this.#answer(outcomes)
      this.#addPasswords(outcomes)
    })
  }

  /** Other passwords for the users whose first ones were lost with the page that had them. */
  renewPasswords() {
    const waiting = () => this.#rows.validateCreated().filter(({ row }) => !this.#state.passwords.has(row.number))
    return this.#run('passwords', waiting, async (batch) => {
      this.#addPasswords(await this.#rows.kind.commit(this.#rows.importId, batch.map(numbered)))
    })
  }

  /** After the batch that is under way. */
  stop() {
    if (this.#state.run) this.#state.run.stopping = true
  }

  async #run(act: ImportRun['act'], waiting: () => ValidatedRow[], send: (batch: ValidatedRow[]) => Promise<void>) {
    const state = this.#state
    const total = waiting().length
    if (state.run || total === 0) return
    state.run = { act, done: 0, total, stopping: false }
    state.failure = undefined
    try {
      for (let batch = waiting(); batch.length > 0 && !state.run?.stopping; batch = waiting()) {
        const sent = batch.slice(0, LIMITS.importBatch)
        await send(sent).catch((error: unknown) => this.#refuseRows(sent, error))
        await this.#store()
        if (state.run) state.run.done = total - waiting().length
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      state.failure = pauseMessage(error)
      await this.#store()
    } finally {
      state.run = undefined
    }
  }

  /** A server with other rules than this page names the rows that it refuses; the others go again. */
  #refuseRows(batch: ValidatedRow[], error: unknown) {
    const named = error instanceof ApiError && error.code === 'VALIDATION_FAILED' ? fieldsByRow(error) : undefined
    if (!named || named.size === 0) throw error
    const numbers = new Map(batch.map(({ row }, index) => [row.number, named.get(index)]))
    this.#rows.update((row) => {
      const fields = numbers.get(row.number)
      return fields ? withRefusal(this.#rows.kind, row, fields) : row
    })
  }

  #answer(outcomes: readonly (Outcome | CheckOutcome)[]) {
    const byNumber = new Map(outcomes.map((outcome) => [outcome.number, outcome]))
    this.#rows.update((row) => {
      const outcome = byNumber.get(row.number)
      return outcome ? withOutcome(this.#rows.kind, row, outcome) : row
    })
  }

  #addPasswords(outcomes: readonly Outcome[]) {
    if (!this.#rows.kind.givesPasswords) return
    const given = outcomes.flatMap((row) => ('temporary_password' in row ? [row] : []))
    this.#state.passwords = new Map([
      ...this.#state.passwords,
      ...given.map((row) => [row.number, row.temporary_password] as const),
    ])
    if (given.some((row) => row.temporary_password !== null)) this.#state.passwordsSaved = false
  }

  #updateBatch(batch: ValidatedRow[], change: (row: ImportRow) => ImportRow) {
    const numbers = new Set(batch.map(({ row }) => row.number))
    this.#rows.update((row) => (numbers.has(row.number) ? change(row) : row))
  }
}

const numbered = ({ row, record }: ValidatedRow) => ({ number: row.number, record })

/** No answer, or one of a server that broke off in the middle. */
const mayHaveWorked = (error: ApiError) => error.isConnectionFault || error.statusCode >= 500

function pauseMessage(error: ApiError): string {
  if (error.isConnectionFault) return 'The connection was lost. Nothing is created twice: continue when it is back.'
  return failureText(error)
}

/** Field errors by the place of their row in the batch. */
function fieldsByRow({ fields }: ApiError) {
  const byRow = new Map<number, typeof fields>()
  for (const field of fields) {
    const [, index, path] = /^rows\.(\d+)\.record\.?(.*)$/.exec(field.path) ?? []
    if (index === undefined) continue
    byRow.set(Number(index), [...(byRow.get(Number(index)) ?? []), { ...field, path: path ?? '' }])
  }
  return byRow
}
