import PDFDocument from 'pdfkit'
import { PLAIN, registerTypeface } from './typeface.ts'

export type Writer = PDFKit.PDFDocument

/** The pieces of the mark (src/ui/Mark.tsx) on a grid of 32. */
const MARK = {
  stub: 'M6.6 5.9 24.1 4.3a2.2 2.2 0 0 1 2.3 2l.1 1.3-11 12-5.7-4.8-4.5 1.5-.7-8.1a2.2 2.2 0 0 1 2-2.3Z',
  body: 'M5 19.3 9 18.2l6 6.1 12-10.5v11a2.2 2.2 0 0 1-2.2 2.2H7.2A2.2 2.2 0 0 1 5 24.8Z',
}
const COLOURS = { stub: '#f6994a', body: '#1a4a9c', tear: '#7b8494' }
const NOTCH = 5
/** In points. The foot is in the bottom margin. */
const FOOT = { height: 40, size: 8 }

interface Options {
  margins: { top: number; bottom: number; left: number; right: number }
  title: string
  subject?: string
  /** The same document always gives the same bytes, so this is not the time of writing. */
  createdAt: Date
}

/** Writes an A4 document that a screen reader can read. `write` fills it; `foot` stands at the left of each page's foot, its number at the right. */
export function taggedPdf(options: Options, foot: string, write: (pdf: Writer) => void): Promise<Buffer> {
  const { margins, title, subject, createdAt } = options
  const pdf = new PDFDocument({
    size: 'A4',
    margins,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-SG',
    displayTitle: true,
    info: { Title: title, ...(subject !== undefined && { Subject: subject }), CreationDate: createdAt },
  })
  const bytes = collectBytes(pdf)
  registerTypeface(pdf)
  drawMark(pdf, margins.left, margins.top - 40)
  write(pdf)
  writeFeet(pdf, foot, margins.left)
  pdf.end()
  return bytes
}

async function collectBytes(pdf: Writer): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of pdf) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

export function writeTagged(pdf: Writer, name: string, write: () => void): void {
  pdf.addStructure(pdf.struct(name, {}, write))
}

/** Draws the mark without its ground, so that a printer with black only prints its two pieces. */
function drawMark(pdf: Writer, x: number, y: number): void {
  pdf.markContent('Artifact')
  pdf.save().translate(x - 4, y)
  pdf.path(MARK.stub).fill(COLOURS.stub).path(MARK.body).fill(COLOURS.body)
  pdf.restore().endMarkedContent()
}

/** Draws the tear between the two parts of a ticket, from one edge of the page to the other. */
export function drawTear(pdf: Writer): void {
  const { y } = pdf
  const { width } = pdf.page
  pdf.markContent('Artifact')
  pdf.save().strokeColor(COLOURS.tear).circle(0, y, NOTCH).circle(width, y, NOTCH).stroke()
  pdf
    .moveTo(2 * NOTCH, y)
    .lineTo(width - 2 * NOTCH, y)
    .dash(4, { space: 4 })
    .stroke()
  pdf.restore().endMarkedContent()
  pdf.y = y
}

/** A screen reader skips the feet. */
function writeFeet(pdf: Writer, words: string, left: number): void {
  const { start, count } = pdf.bufferedPageRange()
  for (let index = start; index < start + count; index += 1) {
    pdf.switchToPage(index)
    // Without this, text below the margin would begin a new page.
    pdf.page.margins.bottom = 0
    pdf.markContent('Artifact', { type: 'Pagination' })
    const y = pdf.page.height - FOOT.height
    pdf
      .font(PLAIN)
      .fontSize(FOOT.size)
      .text(words, left, y, { lineBreak: false })
      .text(`Page ${index + 1} of ${count}`, left, y, { align: 'right' })
    pdf.endMarkedContent()
  }
}
