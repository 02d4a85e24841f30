import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import type { PaperWidth } from '../../state/receiptPrinter.ts'
import type { PrintedReceipt, ReceiptLine } from '../vouchers/receipt.ts'
import { drawRow, type RowLayout } from './drawRow.ts'

/** Of the font that every receipt printer begins with, twelve dots wide. On 80 mm printers have 42 or 48: the fewer fit on all. */
const COLUMNS: Record<PaperWidth, number> = { 58: 32, 80: 42 }

const DOTS_PER_COLUMN = 12

/** Other characters are on other code pages, or on none, and printers differ in which they have. */
const IS_ON_EVERY_CODE_PAGE = /^[\x20-\x7e]*$/

/**
 * The receipt in ESC/POS. A line with a character that some printer does not have is printed as a picture, in the same columns.
 * `draw` is another one where there is no canvas.
 */
export function receiptBytes(
  { title, lines, code, note }: PrintedReceipt,
  width: PaperWidth,
  draw: (line: ReceiptLine, layout: RowLayout) => ImageData = drawRow,
): Uint8Array<ArrayBuffer> {
  const columns = COLUMNS[width]
  // As on the screen the values begin beside the longest name, but never have less than half of the paper.
  const nameColumns = Math.min(columns / 2, 1 + Math.max(...lines.map(([name]) => name.length)))
  const table = [{ width: nameColumns }, { width: columns - nameColumns, align: 'right' } as const]
  const layout = { dots: columns * DOTS_PER_COLUMN, nameDots: nameColumns * DOTS_PER_COLUMN }
  const encoder = new ReceiptPrinterEncoder({ language: 'esc-pos', columns, imageMode: 'raster', feedBeforeCut: 4 })
  encoder.initialize().bold(true).line(title).bold(false).newline()
  for (const line of lines) {
    if (line.every((text) => IS_ON_EVERY_CODE_PAGE.test(text)))
      encoder.table(table, [[line[0], breakAtSpaces(line[1], columns - nameColumns)]])
    else encoder.image(draw(line, layout))
  }
  if (code) {
    encoder.newline().align('center').qrcode(`HRP1.${code}`).newline().barcode(code, 'ean13', { text: true })
    encoder.align('left')
  }
  if (note) encoder.newline().line(note)
  return new Uint8Array(encoder.cut('partial').encode())
}

/** The encoder would also break at a hyphen, and a receipt number has one. */
function breakAtSpaces(text: string, most: number): string {
  const rows: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${rows.at(-1) ?? ''} ${word}`
    if (rows.length > 0 && longer.length <= most) rows[rows.length - 1] = longer
    else rows.push(word)
  }
  return rows.join('\n')
}
