import type { ReceiptLine } from '../vouchers/receipt.ts'

export interface RowLayout {
  /** Of the whole paper. */
  dots: number
  /** Of those, for the name and the space behind it. */
  nameDots: number
}

/** As large as the printer's own letters, which are 24 dots high. */
const FONT = '22px system-ui, sans-serif'

/** A multiple of eight, as printers want it. */
const ROW_DOTS = 32

/** One line of a receipt in the device's own letters, whatever script it is written in: name at the left, value at the right. */
export function drawRow([name, value]: ReceiptLine, { dots, nameDots }: RowLayout): ImageData {
  const canvas = document.createElement('canvas')
  const context = canvas.getContext('2d')
  if (!context) throw new Error('no canvas')
  context.font = FONT
  const widthOf = (text: string) => context.measureText(text).width
  const names = wrap(name, nameDots, widthOf)
  const values = wrap(value, dots - nameDots, widthOf)
  // A canvas that gets a size forgets its font and its colours.
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

/** Breaks between words, as the script has them, and inside a word that is too long for a row. */
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
