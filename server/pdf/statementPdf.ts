import type { ReportCell, ReportColumn } from '../../src/contract/reports/reportPreview.ts'
import { formatCents } from '../../src/domain/money.ts'
import { formatCount } from '../../src/domain/quantities.ts'
import { formatInstant, formatMonth } from '../../src/domain/singaporeTime.ts'
import { drawTear, taggedPdf, writeTagged, type Writer } from './TaggedPdf.ts'
import { BOLD, PLAIN } from './typeface.ts'

interface Table {
  /** The title. */
  name: string
  facts: readonly { label: string; value: ReportCell; type: ReportColumn['type'] }[]
  columns: readonly ReportColumn[]
  rows: readonly ReportCell[][]
}

/** In points. */
const MARGINS = { top: 56, bottom: 64, left: 56, right: 56 }
const LABELS = 120
const GAP = 8
const SIZE = { title: 20, text: 10 }
/** Shares of the width: a branch may have a long name. */
const SHARES: Record<ReportColumn['type'], number> = { month: 3, text: 5, count: 3, money: 4, instant: 5 }

/** Writes a statement as tagged PDF: a ticket with the facts, torn off above its lines. The same statement always gives the same bytes. */
export function statementPdf({ name, facts, columns, rows }: Table): Promise<Buffer> {
  const made = facts.find(({ type }) => type === 'instant')
  const options = { margins: MARGINS, title: name, createdAt: new Date(String(made?.value)) }
  return taggedPdf(options, name, (pdf) => {
    writeTagged(pdf, 'H1', () => pdf.font(BOLD).fontSize(SIZE.title).text(name))
    pdf.moveDown()
    for (const fact of facts) writeFact(pdf, fact)
    pdf.moveDown()
    drawTear(pdf)
    pdf.moveDown(2)
    writeTable(pdf, columns, rows)
  })
}

function writeTable(pdf: Writer, columns: Table['columns'], rows: Table['rows']): void {
  const table = pdf.struct('Table')
  pdf.addStructure(table)
  const cells = placedCells(pdf, columns)
  const head = columns.map(({ label }) => label)
  writeRow(pdf, table, { cells, texts: head, role: 'TH' })
  for (const row of rows) {
    const texts = row.map((cell, n) => shown(columns[n]!.type, cell))
    // The names of the columns stand on every page.
    if (needsPage(pdf, cells, texts)) {
      pdf.addPage()
      writeRow(pdf, table, { cells, texts: head, role: 'TH' })
    }
    writeRow(pdf, table, { cells, texts, role: 'TD' })
  }
  table.end()
}

function writeFact(pdf: Writer, { label, value, type }: Table['facts'][number]): void {
  const { left, right } = MARGINS
  const { y } = pdf
  const width = pdf.page.width - left - right - LABELS
  writeTagged(pdf, 'P', () => {
    pdf
      .font(BOLD)
      .fontSize(SIZE.text)
      .text(`${label}:`, left, y, { width: LABELS - GAP })
    pdf.font(PLAIN).text(shown(type, value) || '-', left + LABELS, y, { width })
  })
  pdf.moveDown(0.3)
}

interface PlacedCell {
  x: number
  width: number
  align: 'left' | 'right'
}

function placedCells(pdf: Writer, columns: readonly ReportColumn[]): PlacedCell[] {
  const { left, right } = MARGINS
  const share = (pdf.page.width - left - right) / columns.reduce((sum, { type }) => sum + SHARES[type], 0)
  let x: number = left
  return columns.map(({ type }) => {
    const place = { x, width: SHARES[type] * share - GAP, align: isNumber(type) ? 'right' : 'left' } as const
    x += SHARES[type] * share
    return place
  })
}

const isNumber = (type: ReportColumn['type']) => type === 'count' || type === 'money'

const heightOf = (pdf: Writer, cells: PlacedCell[], texts: string[]) =>
  Math.max(...texts.map((text, n) => pdf.heightOfString(text, { width: cells[n]!.width })))

const needsPage = (pdf: Writer, cells: PlacedCell[], texts: string[]) =>
  pdf.y + heightOf(pdf, cells, texts) > pdf.page.height - MARGINS.bottom

interface Row {
  cells: PlacedCell[]
  texts: string[]
  role: 'TH' | 'TD'
}

function writeRow(pdf: Writer, table: PDFKit.PDFStructureElement, { cells, texts, role }: Row): void {
  pdf.font(role === 'TH' ? BOLD : PLAIN).fontSize(SIZE.text)
  const { y } = pdf
  const height = heightOf(pdf, cells, texts)
  const row = pdf.struct('TR')
  table.add(row)
  texts.forEach((text, n) => {
    const { x, width, align } = cells[n]!
    row.add(pdf.struct(role, {}, () => void pdf.text(text, x, y, { width, align })))
  })
  row.end()
  pdf.y = y + height + GAP / 2
}

/** The typeface has Western letters only; the CSV has all of them. */
// oxlint-disable-next-line no-control-regex -- control characters are what must not pass
const westernLetters = (text: string) => text.replaceAll(/[^\u0020-\u007e\u00a0-\u00ff–—‘’“”•…€]/gu, '?')

function shown(type: ReportColumn['type'], value: ReportCell): string {
  switch (type) {
    case 'text':
      return westernLetters(String(value))
    case 'month':
      return formatMonth(String(value))
    case 'count':
      return formatCount(Number(value))
    case 'money':
      return formatCents(Number(value))
    case 'instant':
      return formatInstant(new Date(String(value)))
  }
}
