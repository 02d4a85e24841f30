import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { ReportCell } from '../../../src/contract/reports/reportPreview.ts'
import type { Report } from './Report.ts'
import { blankRow, factWriter, headerRow, rowWriter, sheetEnd, sheetStart } from './sheetXml.ts'
import { workbookParts, type SheetRows } from './workbookXml.ts'

/** Rows of one sheet, by Excel's own limit. */
const SHEET_ROWS = 1_048_576

/** The same in every zone and at every time, so that the same report is the same bytes (RPT-04). */
const forEver = () => ({ mtime: new Date(2000, 0, 1), forceDosTimestamp: true })
/** A third larger than at the usual level, in a third of the time. */
const quick = () => ({ ...forEver(), compressionLevel: 1 })

/** A workbook, zipped while it is read: what does not fit on one sheet goes on on the next. */
export async function* xlsxPieces(report: Report): AsyncGenerator<Uint8Array, void, void> {
  const places = placesOf(report)
  const sheets = sheetsOf(report, places)
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // Whoever reads is told when the next chunk is asked for; an error that nobody listens to would end the process.
  output.on('error', () => undefined)
  const fail = (error: Error) => void output.destroy(error)
  zip.on('error', fail)
  for (const [path, xml] of workbookParts(report.columns.length, places))
    zip.addBuffer(Buffer.from(xml), path, forEver())
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

/** Of the table on each sheet, header and last row. */
function placesOf({ facts, rowCount }: Report): SheetRows[] {
  const first = facts.length + 2
  const places = [{ header: first, last: Math.min(first + rowCount, SHEET_ROWS) }]
  for (let left = first + rowCount - SHEET_ROWS; left > 0; left -= SHEET_ROWS - 1) {
    places.push({ header: 1, last: Math.min(1 + left, SHEET_ROWS) })
  }
  return places
}

type Sheet = AsyncGenerator<string, void, void>

function sheetsOf(report: Report, places: readonly SheetRows[]): Sheet[] {
  const taken = rowTaker(report)
  return places.map((rows) => sheetOf(report, taken, rows))
}

async function* sheetOf({ facts, columns }: Report, take: TakeRows, rows: SheetRows): Sheet {
  const { header } = rows
  // The head stands above the first table alone.
  const head =
    header === 1
      ? []
      : [
          ...facts.map(({ label, value, type }, index) => factWriter(type)(index + 1, [label, value])),
          blankRow(header - 1),
        ]
  yield [sheetStart(columns, rows), ...head, headerRow(header, columns)].join('')
  const write = rowWriter(columns.map(({ type }) => type))
  let number = header + 1
  // To the end of the sheet, not of what was promised: only whoever asks for more hears that there is more or less.
  const takeRows = () => take(SHEET_ROWS + 1 - number)
  for (let found = await takeRows(); found.length > 0; found = await takeRows()) {
    yield found.map((row) => write(number++, row)).join('')
  }
  yield sheetEnd(columns, rows)
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
