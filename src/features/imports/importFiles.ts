import { saveFileWithToast } from '../../blocks/downloads/saveFile.ts'
import { BYTE_ORDER_MARK, toCsv } from '../../domain/csv.ts'
import type { ImportRow } from './ImportDraft.ts'
import type { ImportKind } from './ImportKind.ts'
import { ERROR_TITLE } from './readImportFile.ts'
import type { ValidatedRow } from './validateRows.ts'

/** The header alone: somebody would import an example row. */
export const saveTemplate = (kind: ImportKind) => saveCsv(`${kind.key}-template.csv`, [titlesOf(kind)])

/** Rows that were not imported, with the reasons in a column of their own, to be corrected and imported again. */
export const saveFailedRows = (kind: ImportKind, validated: readonly ValidatedRow[]) =>
  saveCsv(`${kind.key}-not-imported.csv`, failedLines(kind, validated))

export function failedLines(kind: ImportKind, validated: readonly ValidatedRow[]): string[][] {
  const failed = validated.filter(({ row, record }) => row.stage === 'open' && !record)
  const lines = failed.map(({ row, errors }) => textsOf(kind, row).concat(Object.values(errors).join(' ')))
  return [[...titlesOf(kind), ERROR_TITLE], ...lines]
}

/** The sheet of temporary passwords, for whoever hands them to the cashiers. */
export function savePasswords(
  kind: ImportKind,
  validated: readonly ValidatedRow[],
  passwords: ReadonlyMap<number, string | null>,
): Promise<void> {
  const lines = validated.flatMap(({ row }) => {
    const password = passwords.get(row.number)
    return password ? [textsOf(kind, row).concat(password)] : []
  })
  return saveCsv(`${kind.key}-passwords.csv`, [[...titlesOf(kind), 'Temporary password'], ...lines])
}

const saveCsv = (name: string, lines: string[][]) =>
  saveFileWithToast(new File([BYTE_ORDER_MARK + toCsv(lines)], name, { type: 'text/csv;charset=utf-8' }))

const titlesOf = ({ columns }: ImportKind) => columns.map(({ title }) => title)

const textsOf = ({ columns }: ImportKind, { cells }: ImportRow) => columns.map(({ key }) => cells[key] ?? '')
