import { ApiError } from '../../api/ApiError.ts'
import { failureText } from '../../blocks/record/runAction.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { Drafts } from '../../offline/storage/drafts.ts'
import { ImportDraft, type ImportRow } from './ImportDraft.ts'
import type { CheckOutcome, ImportKind, Outcome } from './ImportKind.ts'
import { judgeFor, type JudgedRow } from './judgeRows.ts'
import { markOpen, markSent, withCell, withOutcome, withRefusal } from './rowChanges.ts'

export interface ImportRun {
  act: 'check' | 'commit' | 'passwords'
  done: number
  total: number
  stopping: boolean
}

export interface ImportState {
  /** `loading` until the device was asked. */
  draft: ImportDraft | undefined | 'loading'
  judged: readonly JudgedRow[]
  undoable: boolean
  run: ImportRun | undefined
  /** Why the last run stopped before its end. */
  trouble: string | undefined
  /** The device has no room or no storage. */
  cannotSave: boolean
  /** Temporary passwords by row, as long as this page lives; `null` for a user that was touched since. */
  passwords: ReadonlyMap<number, string | null>
  /** They were given to the person. */
  passwordsSaved: boolean
}

const SETTLE_MS = 300
const MOST_UNDONE = 100

const EMPTY: ImportState = {
  draft: undefined,
  judged: [],
  undoable: false,
  run: undefined,
  trouble: undefined,
  cannotSave: false,
  passwords: new Map(),
  passwordsSaved: true,
}

/**
 * One import on its way from a file to the server. Everything but the passwords is kept on the device after each change, and
 * before and after each request: whatever breaks off, goes on from there.
 */
export class ImportJob {
  #state: ImportState = { ...EMPTY, draft: 'loading' }
  #listeners = new Set<() => void>()
  #before: (readonly ImportRow[])[] = []
  #timer: ReturnType<typeof setTimeout> | undefined
  #judge
  readonly #drafts
  #kind

  constructor(kind: ImportKind, drafts: Drafts) {
    this.#kind = kind
    this.#judge = judgeFor(kind)
    this.#drafts = drafts
  }

  readonly subscribe = (listener: () => void) => {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }
  readonly state = () => this.#state

  /** Other columns or choices, such as masters that came in later. */
  use(kind: ImportKind) {
    if (kind === this.#kind) return
    this.#kind = kind
    this.#judge = judgeFor(kind)
    this.#set({ judged: this.#judge(this.#rows) })
  }

  async load() {
    const found = await this.#drafts.read(this.#key, ImportDraft)
    this.#open(found?.values)
  }

  async begin(draft: ImportDraft) {
    this.#open(draft)
    await this.keep()
  }

  async discard() {
    clearTimeout(this.#timer)
    this.#open(undefined)
    await this.#drafts.drop(this.#key).catch(() => undefined)
  }

  edit(number: number, key: string, text: string) {
    this.#change((row) => (row.number === number && row.stage === 'open' ? withCell(row, key, text) : row))
  }

  remove(number: number) {
    this.#remember()
    this.#replace(this.#rows.filter((row) => row.number !== number || row.stage !== 'open'))
  }

  /** Rows that became something meanwhile stay what they are. */
  undo() {
    const before = this.#before.pop()
    if (!before) return
    const made = new Map(this.#rows.filter(({ stage }) => stage !== 'open').map((row) => [row.number, row]))
    this.#replace(before.map((row) => made.get(row.number) ?? row))
  }

  /** Asks the server about the rows that nothing is known against. */
  check() {
    const waiting = () => this.#state.judged.filter(({ row, record }) => record && row.stage === 'open' && !row.checked)
    return this.#running('check', waiting, async (batch) => {
      this.#answer(await this.#kind.check(this.#id, batch.map(numbered)))
    })
  }

  /** Creates what is ready; rows whose answer was lost come first. */
  commit() {
    const waiting = () => {
      const ready = this.#state.judged.filter(({ row, record }) => record && row.stage !== 'created')
      return [...ready.filter(({ row }) => row.stage === 'sent'), ...ready.filter(({ row }) => row.stage === 'open')]
    }
    return this.#running('commit', waiting, async (batch) => {
      this.#forBatch(batch, markSent)
      await this.keep()
      const outcomes = await this.#kind.commit(this.#id, batch.map(numbered)).catch((error: unknown) => {
        // Where the server said no, nothing was created.
        if (error instanceof ApiError && !mayHaveWorked(error)) this.#forBatch(batch, markOpen)
        throw error
      })
      this.#answer(outcomes)
      this.#takePasswords(outcomes)
    })
  }

  /** Other passwords for the users whose first ones were lost with the page that had them. */
  renewPasswords() {
    const waiting = () => this.#judgeCreated().filter(({ row }) => !this.#state.passwords.has(row.number))
    return this.#running('passwords', waiting, async (batch) => {
      this.#takePasswords(await this.#kind.commit(this.#id, batch.map(numbered)))
    })
  }

  stop() {
    if (this.#state.run) this.#set({ run: { ...this.#state.run, stopping: true } })
  }

  savedPasswords() {
    this.#set({ passwordsSaved: true })
  }

  async keep() {
    clearTimeout(this.#timer)
    const { draft } = this.#state
    if (!draft || draft === 'loading') return
    const kept = await this.#drafts.keep(this.#key, draft).then(
      () => true,
      () => false,
    )
    if (this.#state.cannotSave === kept) this.#set({ cannotSave: !kept })
  }

  get #key() {
    return `import/${this.#kind.key}`
  }
  get #draft(): ImportDraft | undefined {
    return this.#state.draft === 'loading' ? undefined : this.#state.draft
  }
  get #rows(): readonly ImportRow[] {
    return this.#draft?.rows ?? []
  }
  get #id() {
    return this.#draft?.id ?? ''
  }

  async #running(act: ImportRun['act'], waiting: () => JudgedRow[], send: (batch: JudgedRow[]) => Promise<void>) {
    const total = waiting().length
    if (this.#state.run || total === 0) return
    this.#set({ run: { act, done: 0, total, stopping: false }, trouble: undefined })
    try {
      for (let batch = waiting(); batch.length > 0 && !this.#isStopping(); batch = waiting()) {
        const sent = batch.slice(0, LIMITS.importBatch)
        await send(sent).catch((error: unknown) => this.#refuseRows(sent, error))
        await this.keep()
        this.#set({ run: { act, done: total - waiting().length, total, stopping: this.#isStopping() } })
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      this.#set({ trouble: pauseMessage(error) })
      await this.keep()
    } finally {
      this.#set({ run: undefined })
    }
  }

  #isStopping() {
    return this.#state.run?.stopping === true
  }

  /** A server with other rules than this page names the rows that it does not take; the others go again. */
  #refuseRows(batch: JudgedRow[], error: unknown) {
    const named = error instanceof ApiError && error.code === 'VALIDATION_FAILED' ? fieldsByRow(error) : undefined
    if (!named || named.size === 0) throw error
    const numbers = new Map(batch.map(({ row }, index) => [row.number, named.get(index)]))
    this.#replace(
      this.#rows.map((row) => {
        const fields = numbers.get(row.number)
        return fields ? withRefusal(this.#kind, row, fields) : row
      }),
    )
  }

  #answer(outcomes: readonly (Outcome | CheckOutcome)[]) {
    const byNumber = new Map(outcomes.map((outcome) => [outcome.number, outcome]))
    this.#replace(
      this.#rows.map((row) => {
        const outcome = byNumber.get(row.number)
        return outcome ? withOutcome(this.#kind, row, outcome) : row
      }),
    )
  }

  #takePasswords(outcomes: readonly Outcome[]) {
    if (!this.#kind.givesPasswords) return
    const told = outcomes.flatMap((row) => ('temporary_password' in row ? [row] : []))
    const passwords = new Map([
      ...this.#state.passwords,
      ...told.map((row) => [row.number, row.temporary_password] as const),
    ])
    const isNew = told.some((row) => row.temporary_password !== null)
    this.#set({ passwords, passwordsSaved: isNew ? false : this.#state.passwordsSaved })
  }

  #judgeCreated(): JudgedRow[] {
    const created = this.#rows.filter(({ stage }) => stage === 'created')
    return created.map((row) => Object.assign({ row }, this.#kind.judge(row.cells)))
  }

  #forBatch(batch: JudgedRow[], change: (row: ImportRow) => ImportRow) {
    const numbers = new Set(batch.map(({ row }) => row.number))
    this.#replace(this.#rows.map((row) => (numbers.has(row.number) ? change(row) : row)))
  }

  #change(change: (row: ImportRow) => ImportRow) {
    this.#remember()
    this.#replace(this.#rows.map(change))
  }

  #remember() {
    this.#before = [...this.#before.slice(-MOST_UNDONE + 1), this.#rows]
  }

  #replace(rows: readonly ImportRow[]) {
    const draft = this.#draft
    if (!draft) return
    this.#set({
      draft: { ...draft, rows: [...rows] },
      judged: this.#judge(rows),
      undoable: this.#before.length > 0,
    })
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.keep(), SETTLE_MS)
  }

  #open(draft: ImportDraft | undefined) {
    this.#before = []
    this.#set({ ...EMPTY, draft, judged: this.#judge(draft?.rows ?? []) })
  }

  #set(changes: Partial<ImportState>) {
    this.#state = { ...this.#state, ...changes }
    for (const listener of this.#listeners) listener()
  }
}

const numbered = ({ row, record }: JudgedRow) => ({ number: row.number, record })

/** No answer, or one of a server that broke off in the middle. */
const mayHaveWorked = (error: ApiError) => error.isLineFault || error.statusCode >= 500

function pauseMessage(error: ApiError): string {
  if (error.isLineFault) return 'The connection was lost. Nothing is created twice: continue when it is back.'
  return failureText(error)
}

/** Complaints by the place of their row in the batch. */
function fieldsByRow({ fields }: ApiError) {
  const byRow = new Map<number, typeof fields>()
  for (const field of fields) {
    const [, index, path] = /^rows\.(\d+)\.record\.?(.*)$/.exec(field.path) ?? []
    if (index === undefined) continue
    byRow.set(Number(index), [...(byRow.get(Number(index)) ?? []), { ...field, path: path ?? '' }])
  }
  return byRow
}
