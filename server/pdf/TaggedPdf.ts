import PDFDocument from 'pdfkit'

export type Writer = PDFKit.PDFDocument

export const BOLD = 'Helvetica-Bold'
export const PLAIN = 'Helvetica'
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
