import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ReportCell } from '../../../src/contract/reports/reportPreview.ts'
import type { Report } from './Report.ts'
import { blankRow, headerRow, rowWriter, SHEET_END, sheetStart } from './sheetXml.ts'
import { workbookParts } from './workbookXml.ts'

/** Rows of one sheet, by Excel's own limit. */
const SHEET_ROWS = 1_048_576

/** The same in every zone and at every time, so that the same report is the same bytes (RPT-04). */
const forEver = () => ({ mtime: new Date(2000, 0, 1), forceDosTimestamp: true })
/** A third larger than at the usual level, in a third of the time. */
const quick = () => ({ ...forEver(), compressionLevel: 1 })

/** A workbook, zipped while it is read: what does not fit on one sheet goes on on the next. */
export async function* xlsxPieces(report: Report): AsyncGenerator<Uint8Array, void, void> {
  const sheets = sheetsOf(report)
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // Whoever reads is told when the next chunk is asked for; an error that nobody listens to would end the process.
  output.on('error', () => undefined)
  const fail = (error: Error) => void output.destroy(error)
  zip.on('error', fail)
  for (const [path, xml] of workbookParts(sheets.length)) zip.addBuffer(Buffer.from(xml), path, forEver())
  for (const [index, pieces] of sheets.entries()) {
    // Not asked for before the sheet in front of it is done: all of them read the same rows.
    zip.addReadStreamLazy(`xl/worksheets/sheet${index + 1}.xml`, quick(), (give) => {
      give(null, Readable.from(pieces).on('error', fail))
    })
  }
  zip.end()
  try {
    for await (const chunk of output) yield chunk as Uint8Array
  } finally {
    await Promise.allSettled([...sheets.map((pieces) => pieces.return()), report.rows.return()])
  }
}

type Sheet = AsyncGenerator<string, void, void>

function sheetsOf(report: Report, most = SHEET_ROWS): Sheet[] {
  const headRows = report.facts.length + 2
  const onFirst = most - headRows
  const onNext = most - 1
  const further = Math.max(0, Math.ceil((report.rowCount - onFirst) / onNext))
  const taken = rowTaker(report)
  const rest = Array.from({ length: further }, () => nextSheet(report, taken, onNext))
  return [firstSheet(report, taken, onFirst), ...rest]
}

async function* firstSheet({ facts, columns }: Report, take: TakeRows, most: number): Sheet {
  const head = facts.map(({ label, value, type }, index) => rowWriter(['text', type])(index + 1, [label, value]))
  yield [sheetStart(columns), ...head, blankRow(facts.length + 1), headerRow(facts.length + 2, columns)].join('')
  yield* bodyOf(columns, take, facts.length + 3, most)
}

async function* nextSheet({ columns }: Report, take: TakeRows, most: number): Sheet {
  yield sheetStart(columns) + headerRow(1, columns)
  yield* bodyOf(columns, take, 2, most)
}

async function* bodyOf(columns: Report['columns'], take: TakeRows, firstNumber: number, most: number): Sheet {
  const write = rowWriter(columns.map(({ type }) => type))
  let number = firstNumber
  for (let rows = await take(most); rows.length > 0; rows = await take(firstNumber + most - number)) {
    yield rows.map((row) => write(number++, row)).join('')
  }
  yield SHEET_END
}

/** Rows as they come, at most so many; none when there are no more, or none are wanted. */
type TakeRows = (most: number) => Promise<ReportCell[][]>

function rowTaker({ rows }: Report): TakeRows {
  let kept: ReportCell[][] = []
  return async (most) => {
    if (most > 0 && kept.length === 0) kept = (await rows.next()).value ?? []
    const taken = kept.slice(0, most)
    kept = kept.slice(most)
    return taken
  }
}
