import type { FieldIssue } from '../../contract/envelope.ts'
import type { ImportRow } from './ImportDraft.ts'
import { columnOf, type CheckOutcome, type ImportKind, type Outcome } from './ImportKind.ts'

// Rows are never changed, only replaced: what was judged of one holds as long as it is there.

/** Another text in a cell; what was said of the old one is over. */
export function withCell(row: ImportRow, key: string, text: string): ImportRow {
  const { [key]: _over, ...issues } = row.issues
  return { ...row, cells: { ...row.cells, [key]: text }, issues, checked: false }
}

/** A row that the server was asked to create. */
export const markSent = (row: ImportRow): ImportRow => ({ ...row, stage: 'sent' })

/** Nothing was created of it, and it may be edited again. */
export const markOpen = (row: ImportRow): ImportRow => (row.stage === 'sent' ? { ...row, stage: 'open' } : row)

/** A row as the server's answer leaves it. */
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

/** Nobody needs a PIN here once the server has it. */
const withoutSecrets = ({ columns }: ImportKind, cells: ImportRow['cells']): ImportRow['cells'] => ({
  ...cells,
  ...Object.fromEntries(columns.filter(({ secret }) => secret).map(({ key }) => [key, ''])),
})
