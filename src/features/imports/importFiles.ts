import { saveFileWithToast } from '../../blocks/downloads/saveFile.ts'
import { BYTE_ORDER_MARK, toCsv } from '../../domain/csv.ts'
import type { ImportRow } from './ImportDraft.ts'
import type { ImportKind } from './ImportKind.ts'
import type { JudgedRow } from './judgeRows.ts'
import { ERROR_TITLE } from './readImportFile.ts'

const saveCsv = (name: string, lines: string[][]) =>
  saveFileWithToast(new File([BYTE_ORDER_MARK + toCsv(lines)], name, { type: 'text/csv;charset=utf-8' }))

const titlesOf = ({ columns }: ImportKind) => columns.map(({ title }) => title)

const textsOf = ({ columns }: ImportKind, { cells }: ImportRow) => columns.map(({ key }) => cells[key] ?? '')

/** The header alone: an example row would be imported by somebody. */
export const saveTemplate = (kind: ImportKind) => saveCsv(`${kind.key}-template.csv`, [titlesOf(kind)])

/** What was not imported, with the reasons in a column of its own, to be mended and imported again. */
export const saveFailedRows = (kind: ImportKind, judged: readonly JudgedRow[]) =>
  saveCsv(`${kind.key}-not-imported.csv`, failedLines(kind, judged))

export function failedLines(kind: ImportKind, judged: readonly JudgedRow[]): string[][] {
  const failed = judged.filter(({ row, record }) => row.stage === 'open' && !record)
  const lines = failed.map(({ row, errors }) => textsOf(kind, row).concat(Object.values(errors).join(' ')))
  return [[...titlesOf(kind), ERROR_TITLE], ...lines]
}

/** The sheet of temporary passwords, for whoever hands them to the cashiers. */
export function savePasswords(
  kind: ImportKind,
  judged: readonly JudgedRow[],
  passwords: ReadonlyMap<number, string | null>,
): Promise<void> {
  const told = judged.flatMap(({ row }) => {
    const password = passwords.get(row.number)
    return password ? [textsOf(kind, row).concat(password)] : []
  })
  return saveCsv(`${kind.key}-passwords.csv`, [[...titlesOf(kind), 'Temporary password'], ...told])
}
