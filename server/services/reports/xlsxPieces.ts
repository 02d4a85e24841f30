import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import type { Report } from './Report.ts'
import { blankRow, factWriter, headerRow, rowWriter, sheetEnd, sheetStart } from './sheetXml.ts'
import { workbookParts, type SheetRows } from './workbookXml.ts'

/** Excel's own limit is 1,048,576, of which the head takes some. */
export const MOST_ROWS = 1_048_500

/** The same in every zone and at every time, so that the same report is the same bytes (RPT-04). */
const forEver = () => ({ mtime: new Date(2000, 0, 1), forceDosTimestamp: true })
/** A third larger than at the usual level, in a third of the time. */
const quick = () => ({ ...forEver(), compressionLevel: 1 })

/** A workbook of one sheet, zipped while it is read. */
export async function* xlsxPieces(report: Report): AsyncGenerator<Uint8Array, void, void> {
  const header = report.facts.length + 2
  const place = { header, last: header + report.rowCount }
  const sheet = sheetOf(report, place)
  const zip = new ZipFile()
  const output = zip.outputStream as Readable
  // Whoever reads is told when the next chunk is asked for; an error that nobody listens to would end the process.
  output.on('error', () => undefined)
  const fail = (error: Error) => void output.destroy(error)
  zip.on('error', fail)
  for (const [path, xml] of workbookParts(report.columns.length, place))
    zip.addBuffer(Buffer.from(xml), path, forEver())
  zip.addReadStreamLazy('xl/worksheets/sheet1.xml', quick(), (give) => {
    give(null, Readable.from(sheet).on('error', fail))
  })
  zip.end()
  try {
    for await (const chunk of output) yield chunk as Uint8Array
  } finally {
    await Promise.allSettled([sheet.return(), report.rows.return()])
  }
}

async function* sheetOf({ facts, columns, rows }: Report, place: SheetRows): AsyncGenerator<string, void, void> {
  const { header } = place
  const head = facts.map(({ label, value, type }, index) => factWriter(type)(index + 1, [label, value]))
  yield [sheetStart(columns, place), ...head, blankRow(header - 1), headerRow(header, columns)].join('')
  const write = rowWriter(columns.map(({ type }) => type))
  let number = header + 1
  for await (const found of rows) yield found.map((row) => write(number++, row)).join('')
  yield sheetEnd(columns, place)
}
