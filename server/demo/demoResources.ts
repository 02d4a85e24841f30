import { v7 as uuidv7 } from 'uuid'
import { VOUCHER_MANAGEMENT_GUIDELINES } from '../../src/domain/legal/voucherManagementGuidelines.ts'
import type { resource } from '../db/schema/resources.ts'
import type { voucher } from '../db/schema/vouchers.ts'
import { legalPdf } from '../pdf/legalPdf.ts'
import { voucherSheet } from '../pdf/voucherPrints.ts'

type ResourceRow = typeof resource.$inferInsert

type VoucherRow = typeof voucher.$inferInsert

const DAY_MS = 86_400_000

/** How many vouchers fit on a page. */
const SHEET_SIZE = 8

/** Makes the rows of two files: the guidelines of the programme, and a printable sheet of the vouchers that can still be used. */
export async function demoResources(vouchers: readonly VoucherRow[], today: string, now: Date): Promise<ResourceRow[]> {
  const usable = vouchers.filter(({ status, expiresOn }) => status === 'Active' && expiresOn >= today)
  const resourceRow = (daysAgo: number, row: Pick<ResourceRow, 'title' | 'description' | 'filename' | 'content'>) => {
    const at = new Date(now.getTime() - daysAgo * DAY_MS)
    const contentType = 'application/pdf'
    return { id: uuidv7({ msecs: at.getTime() }), contentType, updatedAt: at, publishedAt: at, ...row }
  }
  return [
    resourceRow(120, {
      title: VOUCHER_MANAGEMENT_GUIDELINES.title,
      description: 'How vouchers are accepted, checked and kept.',
      filename: 'voucher-management-guidelines.pdf',
      content: await legalPdf(VOUCHER_MANAGEMENT_GUIDELINES),
    }),
    resourceRow(1, {
      title: 'Demo vouchers',
      description: 'Printable vouchers to try at the counter, each with a barcode and a QR code.',
      filename: 'demo-vouchers.pdf',
      content: await demoSheet(usable.slice(0, SHEET_SIZE), now),
    }),
  ]
}

/** Makes a page of vouchers to cut out and scan, each with its serial as EAN-13 barcode and as QR code (rule 8.2). */
const demoSheet = (vouchers: readonly VoucherRow[], now: Date): Promise<Uint8Array> =>
  voucherSheet(
    vouchers.map((voucher) => ({ ...voucher, code: `HRP1.${voucher.serial}` })),
    {
      title: 'Demo vouchers',
      words: 'Scan the barcode or the QR code at the counter, or type the digits. Each voucher can be redeemed once.',
      at: now,
    },
  )
