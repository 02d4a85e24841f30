import { v7 as uuidv7 } from 'uuid'
import type { ImportDraft } from './ImportDraft.ts'
import type { ImportKind } from './ImportKind.ts'
import { readRows } from './readRows.ts'
import { readText } from './readText.ts'

/** A new import of what a file holds, or why there is none. Works without a line. */
export async function readImportFile(kind: ImportKind, file: File): Promise<ImportDraft | { trouble: string }> {
  const text = await readText(file)
  if ('trouble' in text) return text
  const read = readRows(text.text, kind.columns)
  if ('trouble' in read) return read
  const first = kind.columns[0]!
  const rows = read.rows.map(({ cells, wide }, index) => ({
    number: index + 1,
    cells: { ...cells },
    stage: 'open' as const,
    checked: false,
    issues: wide ? { [first.key]: WIDE } : {},
  }))
  return { id: uuidv7(), file: file.name, notes: [...text.notes, ...read.notes], rows }
}

const WIDE = 'The row has more cells than the header: look whether a comma moved them.'
