import PDFDocument from 'pdfkit'
import {
  clauseItems,
  clauseText,
  itemLetter,
  versionLine,
  type LegalClause,
  type LegalDocument,
} from '../../src/domain/legal/LegalDocument.ts'
import { startOfDay } from '../../src/domain/singaporeTime.ts'

/** In points. The footer is in the bottom margin. */
const PAGE = { size: 'A4', margins: { top: 64, bottom: 72, left: 64, right: 64 } } as const
const FOOT_HEIGHT = 40
const INDENT = { clause: 34, item: 22 }
const SIZE = { title: 20, section: 13, text: 10, foot: 8 }
/** The height of a line to sign on, with its label below. */
const SIGNATURE_HEIGHT = 44
const BOLD = 'Helvetica-Bold'
const PLAIN = 'Helvetica'

type Writer = PDFKit.PDFDocument

/**
 * Writes a legal text as tagged PDF with bookmarks, from the data of its page: the same words in the same order. The same document always gives
 * the same bytes.
 */
export function legalPdf(text: LegalDocument): Promise<Buffer> {
  const pdf = new PDFDocument({
    ...PAGE,
    bufferPages: true,
    pdfVersion: '1.7',
    tagged: true,
    lang: 'en-SG',
    displayTitle: true,
    info: { Title: text.title, Subject: versionLine(text), CreationDate: startOfDay(text.inForceFrom) },
  })
  const bytes = collectBytes(pdf)
  writeTitle(pdf, text)
  text.sections.forEach((section, index) => {
    writeHeading(pdf, `${index + 1}. ${section.title}`)
    section.clauses.forEach((clause, at) => writeClause(pdf, `${index + 1}.${at + 1}`, clause))
  })
  if (text.signature) writeSignature(pdf, text.signature)
  writeFeet(pdf, text)
  pdf.end()
  return bytes
}

async function collectBytes(pdf: Writer): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of pdf) pieces.push(piece as Buffer)
  return Buffer.concat(pieces)
}

function writeTitle(pdf: Writer, text: LegalDocument) {
  writeTagged(pdf, 'H1', () => pdf.font(BOLD).fontSize(SIZE.title).text(text.title))
  writeTagged(pdf, 'P', () => pdf.font(PLAIN).fontSize(SIZE.text).text(versionLine(text)))
  pdf.moveDown()
  for (const paragraph of text.intro) {
    writeTagged(pdf, 'P', () => pdf.text(paragraph))
    pdf.moveDown(0.5)
  }
}

/** Writes a heading, never alone at the bottom of a page. */
function writeHeading(pdf: Writer, words: string) {
  breakUnlessRoom(pdf, 90)
  pdf.outline.addItem(words)
  pdf.moveDown()
  writeTagged(pdf, 'H2', () => pdf.font(BOLD).fontSize(SIZE.section).text(words, PAGE.margins.left))
  pdf.moveDown(0.4).font(PLAIN).fontSize(SIZE.text)
}

function writeClause(pdf: Writer, number: string, clause: LegalClause) {
  const left = PAGE.margins.left
  writeHanging(pdf, number, clauseText(clause), { x: left, indent: INDENT.clause })
  clauseItems(clause).forEach((item, index) =>
    writeHanging(pdf, `(${itemLetter(index)})`, item, { x: left + INDENT.clause, indent: INDENT.item }),
  )
}

/** Writes a mark with its text beside it; a page break never separates them. */
function writeHanging(pdf: Writer, mark: string, words: string, { x, indent }: { x: number; indent: number }) {
  const width = pdf.page.width - PAGE.margins.right - x - indent
  breakUnlessRoom(pdf, pdf.heightOfString(words, { width }))
  const { y } = pdf
  writeTagged(pdf, 'P', () => {
    pdf.text(mark, x, y, { lineBreak: false })
    pdf.text(words, x + indent, y, { width })
  })
  pdf.moveDown(0.4)
}

/** Writes a line for each label, with the label below it, all on one page. */
function writeSignature(pdf: Writer, labels: readonly string[]) {
  breakUnlessRoom(pdf, 90 + labels.length * SIGNATURE_HEIGHT)
  writeHeading(pdf, 'Signed for the merchant')
  const { left, right } = PAGE.margins
  for (const label of labels) {
    const y = pdf.y + SIGNATURE_HEIGHT - 16
    pdf.markContent('Artifact', { type: 'Layout' })
    pdf
      .moveTo(left, y)
      .lineTo(pdf.page.width - right, y)
      .lineWidth(0.5)
      .stroke()
    pdf.endMarkedContent()
    writeTagged(pdf, 'P', () => pdf.fontSize(SIZE.foot).text(label, left, y + 3))
  }
}

function breakUnlessRoom(pdf: Writer, height: number) {
  if (pdf.y + height > pdf.page.height - PAGE.margins.bottom) pdf.addPage()
}

function writeTagged(pdf: Writer, name: string, write: () => void) {
  pdf.addStructure(pdf.struct(name, {}, write))
}

/** Writes title, version and page number at the foot of each page. A screen reader skips them. */
function writeFeet(pdf: Writer, text: LegalDocument) {
  const { start, count } = pdf.bufferedPageRange()
  for (let index = start; index < start + count; index += 1) {
    pdf.switchToPage(index)
    // Without this, text below the margin would begin a new page.
    pdf.page.margins.bottom = 0
    pdf.markContent('Artifact', { type: 'Pagination' })
    pdf
      .fontSize(SIZE.foot)
      .text(`${text.title}, version ${text.version}`, PAGE.margins.left, pdf.page.height - FOOT_HEIGHT, {
        lineBreak: false,
      })
      .text(`Page ${index + 1} of ${count}`, PAGE.margins.left, pdf.page.height - FOOT_HEIGHT, { align: 'right' })
    pdf.endMarkedContent()
  }
}
