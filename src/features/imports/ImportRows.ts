import { ref } from 'valtio/vanilla'
import type { FieldIssue } from '../../contract/envelope.ts'
import type { ImportDraft, ImportRow } from './ImportDraft.ts'
import { columnOf, type CheckOutcome, type ImportKind, type Outcome } from './ImportKind.ts'
import type { ImportState } from './importState.ts'
import { rowValidator, type ValidatedRow } from './validateRows.ts'

const MOST_UNDONE = 100

/** The rows of an import: every change of them goes through here, and is validated at once. A person's changes can be undone. */
export class ImportRows {
  #kind: ImportKind
  #validate
  #before: (readonly ImportRow[])[] = []
  readonly #state: ImportState
  readonly #onChanged: () => void

  constructor(kind: ImportKind, state: ImportState, onChanged: () => void) {
    this.#kind = kind
    this.#validate = rowValidator(kind)
    this.#state = state
    this.#onChanged = onChanged
  }

  get kind() {
    return this.#kind
  }

  /** The id under which the server knows them. */
  get importId() {
    return this.#draft?.id ?? ''
  }

  /** Other columns or choices, such as masters that came in later. */
  use(kind: ImportKind) {
    if (kind === this.#kind) return
    this.#kind = kind
    this.#validate = rowValidator(kind)
    this.#state.validated = ref(this.#validate(this.#rows))
  }

  open(draft: ImportDraft | undefined) {
    this.#before = []
    this.#show(draft)
  }

  edit(number: number, key: string, text: string) {
    this.#remember()
    this.update((row) => (row.number === number && row.stage === 'open' ? withCell(row, key, text) : row))
  }

  remove(number: number) {
    this.#remember()
    this.#replace(this.#rows.filter((row) => row.number !== number || row.stage !== 'open'))
  }

  /** Rows that were sent or created meanwhile stay what they are. */
  undo() {
    const before = this.#before.pop()
    if (!before) return
    const made = new Map(this.#rows.filter(({ stage }) => stage !== 'open').map((row) => [row.number, row]))
    this.#replace(before.map((row) => made.get(row.number) ?? row))
  }

  /** Changes rows without a step for Undo, as an answer of the server does. */
  update(change: (row: ImportRow) => ImportRow) {
    this.#replace(this.#rows.map(change))
  }

  /** Rows that exist at the server, validated as if they were still to be sent. */
  validateCreated(): ValidatedRow[] {
    const created = this.#rows.filter(({ stage }) => stage === 'created')
    return created.map((row) => Object.assign({ row }, this.#kind.validate(row.cells)))
  }

  get #draft(): ImportDraft | undefined {
    return this.#state.draft === 'loading' ? undefined : this.#state.draft
  }
  get #rows(): readonly ImportRow[] {
    return this.#draft?.rows ?? []
  }

  #remember() {
    this.#before = [...this.#before.slice(-MOST_UNDONE + 1), this.#rows]
  }

  #replace(rows: readonly ImportRow[]) {
    const draft = this.#draft
    if (!draft) return
    this.#show({ ...draft, rows })
    this.#onChanged()
  }

  /** As references: a proxy around each of thousands of rows would be slow, and would not be the row that was validated. */
  #show(draft: ImportDraft | undefined) {
    this.#state.draft = draft && ref(draft)
    this.#state.validated = ref(this.#validate(this.#rows))
    this.#state.undoable = this.#before.length > 0
  }
}

// Rows are never changed, only replaced, so the result of a validation holds for as long as the row is there.

/** Another text in a cell. Errors of the old text go. */
function withCell(row: ImportRow, key: string, text: string): ImportRow {
  const { [key]: _old, ...issues } = row.issues
  return { ...row, cells: { ...row.cells, [key]: text }, issues, checked: false }
}

/** A row that the server was asked to create. */
export const markSent = (row: ImportRow): ImportRow => ({ ...row, stage: 'sent' })

/** The server created nothing, so the row may be edited again. */
export const markOpen = (row: ImportRow): ImportRow => (row.stage === 'sent' ? { ...row, stage: 'open' } : row)

export function withOutcome(kind: ImportKind, row: ImportRow, outcome: Outcome | CheckOutcome): ImportRow {
  switch (outcome.outcome) {
    case 'ok':
      return { ...row, checked: true, issues: {} }
    case 'created':
    case 'existing':
      return { ...row, stage: 'created', guid: outcome.guid, issues: {}, cells: withoutSecrets(kind, row.cells) }
    case 'refused':
      return withRefusal(kind, row, outcome.fields)
  }
}

export const withRefusal = (kind: ImportKind, row: ImportRow, fields: readonly FieldIssue[]): ImportRow => ({
  ...row,
  stage: 'open',
  checked: false,
  issues: Object.fromEntries(fields.map((field) => [columnOf(kind, field).key, field.message])),
})

/** A PIN is of no use on this device once the server has it. */
const withoutSecrets = ({ columns }: ImportKind, cells: ImportRow['cells']): ImportRow['cells'] => ({
  ...cells,
  ...Object.fromEntries(columns.filter(({ secret }) => secret).map(({ key }) => [key, ''])),
})
