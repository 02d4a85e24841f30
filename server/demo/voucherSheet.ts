import bwipjs from 'bwip-js/node'
import { formatDay } from '../../src/domain/singaporeTime.ts'
import { formatCents } from '../../src/domain/money.ts'
import { formatSerial } from '../../src/domain/vouchers.ts'
import { demoDocument, type Page } from './demoDocument.ts'

interface Printed {
  serial: string
  denominationCents: number
  expiresOn: string
}

/** How many fit one page, two beside each other. */
export const SHEET_SIZE = 8
const COLUMN = 250
const ROW = 165
const TOP = 130

/** Vouchers to cut out and scan: each as EAN-13 and as the QR of the programme, `HRP1.<serial>` (DESIGN §2). */
export const voucherSheet = (vouchers: readonly Printed[], now: Date): Promise<Uint8Array> =>
  demoDocument('Demo vouchers', now, async (page) => {
    page.text('Scan the bars or the square at the counter, or type the digits. Each can be redeemed once.')
    for (const [index, voucher] of vouchers.slice(0, SHEET_SIZE).entries()) {
      await drawVoucher(page, voucher, 48 + (index % 2) * COLUMN, TOP + Math.floor(index / 2) * ROW)
    }
  })

async function drawVoucher(page: Page, { serial, denominationCents, expiresOn }: Printed, x: number, y: number) {
  const [bars, square] = await Promise.all([
    bwipjs.toBuffer({ bcid: 'ean13', text: serial, scale: 3, height: 14 }),
    bwipjs.toBuffer({ bcid: 'qrcode', text: `HRP1.${serial}`, scale: 4 }),
  ])
  page
    .rect(x, y, COLUMN - 12, ROW - 14)
    .dash(3, { space: 3 })
    .stroke('#9ca3af')
    .undash()
  page
    .font('Helvetica-Bold')
    .fontSize(16)
    .text(formatCents(denominationCents), x + 12, y + 12)
  page
    .font('Helvetica')
    .fontSize(9)
    .text(`Valid until ${formatDay(expiresOn)}`, x + 12, y + 34)
  page.image(bars, x + 12, y + 58, { width: 122 })
  page.image(square, x + 148, y + 46, { width: 78 })
  page.text(formatSerial(serial), x + 12, y + 130)
}
