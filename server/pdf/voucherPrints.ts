import { buffer } from 'node:stream/consumers'
import bwipjs from 'bwip-js/node'
import { correction, generate } from 'lean-qr'
import { toSvgPath } from 'lean-qr/extras/svg'
import PDFDocument from 'pdfkit'
import { formatCents } from '../../src/domain/money.ts'
import { formatDay } from '../../src/domain/singaporeTime.ts'
import { formatSerial, PROGRAMME } from '../../src/domain/vouchers.ts'
import { BOLD, PLAIN, registerTypeface } from './typeface.ts'

/** A voucher to print: its serial as EAN-13, and the text of its QR code. */
export interface Print {
  serial: string
  denominationCents: number
  /** The last Singapore day on which the voucher is good. */
  expiresOn: string
  /** A signed voucher, or `HRP1.` and the serial. */
  code: string
}

interface SheetHead {
  title: string
  /** A line under the title. */
  words: string
  at: Date
}

/** In points. Eight cards on an A4 page, in two columns. */
const MARGIN = 48
const CARDS_PER_PAGE = 8
const COLUMN = 250
const ROW = 165
const CARD = { top: 130, width: 238, height: 151, inset: 14 }
/** The terms and conditions in a sentence. */
const TERMS = 'Good once, at participating outlets. It is not exchanged for cash.'
/** The distances of a cut mark's two ends from the card. */
const CUT_MARK = { from: 1, to: 6 }
const BARS = { width: 106, height: 42 }
/** The code of a signed voucher has 45 modules with the quiet zone, so a module is 0.72 mm wide. */
const QR_SIZE = 92
/** Width of the white border around a QR code, in modules. */
const QUIET_MODULES = 4

type Page = InstanceType<typeof PDFDocument>

/** Makes a PDF of A4 pages with vouchers to cut out. */
export function voucherSheet(vouchers: readonly Print[], head: SheetHead): Promise<Buffer> {
  const pdf = new PDFDocument({ size: 'A4', margin: MARGIN, info: { Title: head.title, CreationDate: head.at } })
  const bytes = buffer(pdf)
  registerTypeface(pdf)
  writeHead(pdf, head)
  for (const [index, voucher] of vouchers.entries()) {
    const at = index % CARDS_PER_PAGE
    if (at === 0 && index > 0) pdf.addPage()
    drawCard(pdf, voucher, MARGIN + (at % 2) * COLUMN, CARD.top + Math.floor(at / 2) * ROW)
  }
  pdf.end()
  return bytes
}

const writeHead = (pdf: Page, { title, words }: SheetHead) =>
  void pdf.font(BOLD).fontSize(18).text(title).moveDown(0.5).font(PLAIN).fontSize(11).text(words)

function drawCard(pdf: Page, { serial, denominationCents, expiresOn, code }: Print, x: number, y: number): void {
  const left = x + CARD.inset
  drawCutMarks(pdf, x, y)
  const write = (font: string, size: number, text: string, top: number) =>
    pdf
      .font(font)
      .fontSize(size)
      .fillColor('black')
      .text(text, left, y + top, { width: CARD.width - 2 * CARD.inset })
  write(BOLD, 8, PROGRAMME, 8)
  write(BOLD, 18, formatCents(denominationCents), 19)
  write(PLAIN, 9, `Good until ${formatDay(expiresOn)}`, 39)
  write(PLAIN, 9, 'No change given', 51)
  drawBars(pdf, serial, left, y + 66)
  write(PLAIN, 9, formatSerial(serial), 66 + BARS.height + 5)
  write(PLAIN, 6.5, TERMS, 130)
  drawQrCode(pdf, code, x + CARD.width - QR_SIZE - 6, y + (CARD.height - QR_SIZE) / 2)
}

/** Draws marks outside the four corners, so that no line remains on the voucher. */
function drawCutMarks(pdf: Page, left: number, top: number): void {
  const [right, bottom] = [left + CARD.width, top + CARD.height]
  for (const [x, sideways] of [
    [left, -1],
    [right, 1],
  ] as const) {
    for (const [y, upright] of [
      [top, -1],
      [bottom, 1],
    ] as const) {
      pdf.moveTo(x + sideways * CUT_MARK.from, y).lineTo(x + sideways * CUT_MARK.to, y)
      pdf.moveTo(x, y + upright * CUT_MARK.from).lineTo(x, y + upright * CUT_MARK.to)
    }
  }
  pdf.lineWidth(0.5).stroke('#6b7280')
}

/** Draws the bars as shapes, not as a picture, so that every printer prints them sharply. */
function drawBars(pdf: Page, serial: string, x: number, y: number): void {
  const [{ sbs }] = bwipjs.raw({ bcid: 'ean13', text: serial }) as unknown as [{ sbs: number[] }]
  const module = BARS.width / sbs.reduce((sum, width) => sum + width, 0)
  let at = x
  for (const [index, width] of sbs.entries()) {
    // Bars and spaces alternate, beginning with a bar.
    if (index % 2 === 0) pdf.rect(at, y, width * module, BARS.height)
    at += width * module
  }
  pdf.fill('black')
}

/** Draws the QR code. Level M survives creased or dirty paper, and keeps the code small. */
function drawQrCode(pdf: Page, code: string, x: number, y: number): void {
  const drawn = generate(code, { minCorrectionLevel: correction.M, maxCorrectionLevel: correction.M })
  pdf
    .save()
    .translate(x, y)
    .scale(QR_SIZE / (drawn.size + 2 * QUIET_MODULES))
    .translate(QUIET_MODULES, QUIET_MODULES)
    .path(toSvgPath(drawn))
    .fill('black')
    .restore()
}
