import PDFDocument from 'pdfkit'
import { v7 as uuidv7 } from 'uuid'
import { BYTE_ORDER_MARK, toCsv } from '../../src/domain/csv.ts'
import { centsAsDecimal } from '../../src/domain/money.ts'
import type { resource } from '../db/schema/resources.ts'
import type { voucher } from '../db/schema/vouchers.ts'
import { voucherSheet } from '../pdf/voucherPrints.ts'

type ResourceRow = typeof resource.$inferInsert

type VoucherRow = typeof voucher.$inferInsert

const DAY_MS = 86_400_000

const GUIDE = [
  'Scan the voucher with the hand scanner or the camera, or type its 13 digits.',
  'Check the amount on the screen against the voucher, then confirm.',
  'Only green and the word "Redeemed" with a receipt number mean that the voucher was redeemed.',
  'Red means that it cannot be used: hand it back and ask for other payment.',
  'Grey means that it could not be checked. Nothing was redeemed; the voucher stays valid.',
]

/** Files of the programme, with a sheet of vouchers that can still be used among `vouchers`. */
export async function demoResources(vouchers: readonly VoucherRow[], today: string, now: Date): Promise<ResourceRow[]> {
  const usable = vouchers.filter(({ status, expiresOn }) => status === 'Active' && expiresOn >= today)
  const guide = await demoDocument('Vouchers at the counter', now, (page) => void page.list(GUIDE))
  const file = (daysAgo: number, row: Pick<ResourceRow, 'title' | 'description' | 'filename' | 'content'>) => {
    const at = new Date(now.getTime() - daysAgo * DAY_MS)
    const contentType = row.filename.endsWith('.pdf') ? 'application/pdf' : 'text/csv; charset=utf-8'
    return { id: uuidv7({ msecs: at.getTime() }), contentType, updatedAt: at, publishedAt: at, ...row }
  }
  return [
    file(120, {
      title: 'Cashier guide',
      description: 'What the colours of the counter mean, and what to say.',
      filename: 'cashier-guide.pdf',
      content: guide,
    }),
    file(60, {
      title: 'Denominations',
      description: 'The amounts that vouchers of the programme come in.',
      filename: 'denominations.csv',
      content: denominations(vouchers),
    }),
    file(1, {
      title: 'Demo vouchers',
      description: 'A sheet to print: vouchers to try at the counter, as barcode and as QR code.',
      filename: 'demo-vouchers.pdf',
      content: await demoSheet(usable.slice(1, SHEET_SIZE + 1), now),
    }),
  ]
}

function denominations(vouchers: readonly VoucherRow[]): Uint8Array {
  const amounts = [...new Set(vouchers.map(({ denominationCents }) => denominationCents))].toSorted((a, b) => a - b)
  const lines = [['Denomination (SGD)'], ...amounts.map((amount) => [centsAsDecimal(amount)])]
  return new TextEncoder().encode(BYTE_ORDER_MARK + toCsv(lines))
}

/** Vouchers to cut out and scan, as EAN-13 and as the QR code of their serial (rule 8.2): one page. */
const demoSheet = (vouchers: readonly VoucherRow[], now: Date): Promise<Uint8Array> =>
  voucherSheet(
    vouchers.map((voucher) => ({ ...voucher, code: `HRP1.${voucher.serial}` })),
    {
      title: 'Demo vouchers',
      words: 'Scan the bars or the square at the counter, or type the digits. Each can be redeemed once.',
      at: now,
    },
  )

/** How many fit on it. */
const SHEET_SIZE = 8

type Page = InstanceType<typeof PDFDocument>

/** An A4 document that `draw` has filled, as bytes. */
function demoDocument(title: string, now: Date, draw: (page: Page) => Promise<void> | void): Promise<Uint8Array> {
  const page = new PDFDocument({ size: 'A4', margin: 48, info: { Title: title, CreationDate: now } })
  const chunks: Uint8Array[] = []
  page.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  return new Promise((resolve, reject) => {
    page.once('end', () => resolve(Buffer.concat(chunks)))
    page.once('error', reject)
    page.font('Helvetica-Bold').fontSize(18).text(title).moveDown(0.5).font('Helvetica').fontSize(11)
    Promise.resolve(draw(page)).then(() => page.end(), reject)
  })
}
