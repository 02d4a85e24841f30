import type { FieldIssue } from '../../contract/envelope.ts'
import type { ImportRow } from './ImportDraft.ts'
import { columnOf, type CheckOutcome, type ImportKind, type Outcome } from './ImportKind.ts'

// Rows are never changed, only replaced, so the result of a validation holds for as long as the row is there.

/** Another text in a cell. Errors of the old text go. */
export function withCell(row: ImportRow, key: string, text: string): ImportRow {
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
