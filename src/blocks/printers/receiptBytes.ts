import ReceiptPrinterEncoder from '@point-of-sale/receipt-printer-encoder'
import type { PaperWidth } from '../../state/receiptPrinter.ts'
import type { PrintedReceipt, ReceiptLine } from '../vouchers/receipt.ts'

/** The columns of the printers' default font, which is twelve dots wide. Printers for 80 mm have 42 or 48 columns, and 42 fit all. */
const COLUMNS: Record<PaperWidth, number> = { 58: 32, 80: 42 }

const DOTS_PER_COLUMN = 12

/** Matches text that every printer has: printers differ in all other characters. */
const IS_ON_EVERY_CODE_PAGE = /^[\x20-\x7e]*$/

/**
 * Returns the receipt in ESC/POS. A line with a character that some printers lack is printed as a picture, in the same columns. `draw` replaces the
 * canvas where there is none.
 */
export function receiptBytes(
  { from, title, mark, lines, code, note }: PrintedReceipt,
  width: PaperWidth,
  draw: (line: ReceiptLine, layout: RowLayout) => ImageData = drawRow,
): Uint8Array<ArrayBuffer> {
  const columns = COLUMNS[width]
  // As on the screen, the values begin after the longest name, but get at least half of the paper.
  const nameColumns = Math.min(columns / 2, 1 + Math.max(...lines.map(([name]) => name.length)))
  const table = [{ width: nameColumns }, { width: columns - nameColumns, align: 'right' } as const]
  const layout = { dots: columns * DOTS_PER_COLUMN, nameDots: nameColumns * DOTS_PER_COLUMN }
  const encoder = new ReceiptPrinterEncoder({ language: 'esc-pos', columns, imageMode: 'raster', feedBeforeCut: 4 })
  encoder.initialize()
  from.forEach((name, place) => {
    if (!IS_ON_EVERY_CODE_PAGE.test(name)) encoder.image(draw([name, ''], { ...layout, nameDots: layout.dots }))
    else
      encoder
        .align('center')
        .bold(place === 0)
        .line(name)
        .bold(false)
        .align('left')
  })
  if (from.length > 0) encoder.newline()
  encoder.bold(true).line(title)
  if (mark) encoder.line(mark)
  encoder.bold(false).newline()
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

/** Breaks lines at spaces only: the encoder would also break at the hyphen of a receipt number. */
function breakAtSpaces(text: string, most: number): string {
  const rows: string[] = []
  for (const word of text.split(' ')) {
    const longer = `${rows.at(-1) ?? ''} ${word}`
    if (rows.length > 0 && longer.length <= most) rows[rows.length - 1] = longer
    else rows.push(word)
  }
  return rows.join('\n')
}

export interface RowLayout {
  /** The width of the whole paper. */
  dots: number
  /** The part of `dots` for the name and the space after it. */
  nameDots: number
}

/** As large as the printer's own letters, which are 24 dots high. */
const FONT = '22px system-ui, sans-serif'

/** A multiple of eight, as printers require. */
const ROW_DOTS = 32

/** Draws one line of a receipt in the device's own letters, in any script: name at the left, value at the right. */
function drawRow([name, value]: ReceiptLine, { dots, nameDots }: RowLayout): ImageData {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.font = FONT
  const widthOf = (text: string) => context.measureText(text).width
  const names = wrap(name, nameDots, widthOf)
  const values = wrap(value, dots - nameDots, widthOf)
  // Setting the size of a canvas resets its font and colours.
  Object.assign(canvas, { width: dots, height: ROW_DOTS * Math.max(names.length, values.length) })
  Object.assign(context, { font: FONT, fillStyle: 'white', textBaseline: 'middle' })
  context.fillRect(0, 0, canvas.width, canvas.height)
  context.fillStyle = 'black'
  const middleOf = (row: number) => (row + 0.5) * ROW_DOTS
  names.forEach((text, row) => context.fillText(text, 0, middleOf(row)))
  context.textAlign = 'right'
  values.forEach((text, row) => context.fillText(text, dots, middleOf(row)))
  return context.getImageData(0, 0, canvas.width, canvas.height)
}

/** Breaks text between words, by the rules of the script, and inside a word that is too long for a row. */
function wrap(text: string, most: number, widthOf: (text: string) => number): string[] {
  const rows = ['']
  const add = (part: string) => {
    const longer = rows.at(-1) + part
    if (widthOf(longer.trim()) <= most || longer.trim() === '') rows[rows.length - 1] = longer
    else rows.push(part)
  }
  for (const word of partsOf(text, 'word')) {
    if (widthOf(word) <= most) add(word)
    else partsOf(word, 'grapheme').forEach(add)
  }
  return rows.map((row) => row.trim()).filter(Boolean)
}

const partsOf = (text: string, granularity: 'word' | 'grapheme') =>
  Array.from(new Intl.Segmenter(undefined, { granularity }).segment(text), ({ segment }) => segment)
