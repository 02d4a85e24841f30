import {
  clauseItems,
  clauseText,
  itemLetter,
  versionLine,
  type LegalClause,
  type LegalDocument,
} from '../../src/domain/legal/LegalDocument.ts'
import { startOfDay } from '../../src/domain/singaporeTime.ts'
import { taggedPdf, writeTagged, type Writer } from './TaggedPdf.ts'
import { BOLD, PLAIN } from './typeface.ts'

/** In points. */
const MARGINS = { top: 64, bottom: 72, left: 64, right: 64 }
const INDENT = { clause: 34, item: 22 }
const SIZE = { title: 20, section: 13, text: 10, label: 8 }
/** The height of a line to sign on, with its label below. */
const SIGNATURE_HEIGHT = 44

/**
 * Writes a legal text as tagged PDF with bookmarks, from the data of its page: the same words in the same order. The same document always gives
 * the same bytes.
 */
export function legalPdf(text: LegalDocument): Promise<Buffer> {
  const options = {
    margins: MARGINS,
    title: text.title,
    subject: versionLine(text),
    createdAt: startOfDay(text.inForceFrom),
  }
  return taggedPdf(options, `${text.title}, version ${text.version}`, (pdf) => {
    writeTitle(pdf, text)
    text.sections.forEach((section, index) => {
      writeHeading(pdf, `${index + 1}. ${section.title}`)
      section.clauses.forEach((clause, at) => writeClause(pdf, `${index + 1}.${at + 1}`, clause))
    })
    if (text.signature) writeSignature(pdf, text.signature)
  })
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
  writeTagged(pdf, 'H2', () => pdf.font(BOLD).fontSize(SIZE.section).text(words, MARGINS.left))
  pdf.moveDown(0.4).font(PLAIN).fontSize(SIZE.text)
}

function writeClause(pdf: Writer, number: string, clause: LegalClause) {
  const left = MARGINS.left
  writeHanging(pdf, number, clauseText(clause), { x: left, indent: INDENT.clause })
  clauseItems(clause).forEach((item, index) =>
    writeHanging(pdf, `(${itemLetter(index)})`, item, { x: left + INDENT.clause, indent: INDENT.item }),
  )
}

/** Writes a mark with its text beside it; a page break never separates them. */
function writeHanging(pdf: Writer, mark: string, words: string, { x, indent }: { x: number; indent: number }) {
  const width = pdf.page.width - MARGINS.right - x - indent
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
  const { left, right } = MARGINS
  for (const label of labels) {
    const y = pdf.y + SIGNATURE_HEIGHT - 16
    pdf.markContent('Artifact', { type: 'Layout' })
    pdf
      .moveTo(left, y)
      .lineTo(pdf.page.width - right, y)
      .lineWidth(0.5)
      .stroke()
    pdf.endMarkedContent()
    writeTagged(pdf, 'P', () => pdf.fontSize(SIZE.label).text(label, left, y + 3))
  }
}

function breakUnlessRoom(pdf: Writer, height: number) {
  if (pdf.y + height > pdf.page.height - MARGINS.bottom) pdf.addPage()
}
