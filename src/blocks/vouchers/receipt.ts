import { takenOff } from '../../domain/bill.ts'
import { formatCents } from '../../domain/money.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial, PROGRAMME } from '../../domain/vouchers.ts'

/** The facts on the receipt of the vouchers of one action. */
export interface ReceiptFacts {
  /** The merchant. Missing if only the branch is known. */
  shop?: string
  branch: string
  /** The name of the till at the time of the redemption, if it had a name. */
  till: string | null | undefined
  cashier: string
  at: Date
  vouchers: readonly ReceiptVoucher[]
  /** The bill before vouchers, in cents, if it was typed. */
  bill?: number | undefined
  isPractice?: boolean | undefined
}

export interface ReceiptVoucher {
  serial: string
  cents: number
  /** Missing until the upload. */
  number: string | undefined
  /** Accepted without a check: it may turn out to have been used elsewhere. */
  isAtRisk?: boolean
  voidedAt?: Date | undefined
}

export type ReceiptLine = readonly [name: string, value: string]

/** The content of a printed receipt, for every way of printing. */
export interface PrintedReceipt {
  /** The names above the title: the merchant, then the branch. */
  from: readonly string[]
  title: string
  /** Says that the receipt is for practice, or that its redemption was voided. */
  mark?: string | undefined
  lines: readonly ReceiptLine[]
  /** 13 digits that are printed as a QR code and as a barcode. */
  code?: string
  /** Printed below everything else. */
  note?: string
}

/** Returns the names above the title. A name that merchant and branch share is printed once. */
export const receiptHead = (shop: string | undefined, branch: string | null): string[] => [
  ...new Set([shop, branch].filter((name) => typeof name === 'string')),
]

/** Returns the receipt number, or why there is none. A voucher may be voided before the server has recorded it. */
function numberOf({ number, isAtRisk, voidedAt }: ReceiptVoucher): string {
  if (number !== undefined) return number
  if (voidedAt) return 'None: voided before it was recorded'
  return isAtRisk ? 'Follows if it was not used elsewhere' : 'Follows after the upload'
}

/** Returns the receipt of a redemption, for the screen, paper and other apps. */
export function redemptionReceipt(facts: ReceiptFacts): PrintedReceipt {
  const { shop, branch, till, cashier, at, vouchers, bill, isPractice } = facts
  const [first, ...others] = vouchers
  const isVoided = vouchers.every(({ voidedAt }) => voidedAt)
  const voided = isVoided && first?.voidedAt ? `Voided ${formatInstant(first.voidedAt)}` : undefined
  return {
    from: receiptHead(shop, branch),
    title: 'Receipt',
    mark: isPractice ? 'Practice. No voucher.' : voided,
    lines: [
      ...(till ? [['Till', till] as const] : []),
      ['Cashier', cashier],
      ['Time', formatInstant(at)],
      ...vouchers.flatMap((voucher) => voucherLines(voucher, isVoided)),
      ...(others.length > 0 || bill !== undefined ? sumLines(vouchers, bill) : []),
    ],
    note: PROGRAMME,
  }
}

/** Returns one line for each fact, because two facts do not fit side by side on paper of 58 mm. */
const voucherLines = (voucher: ReceiptVoucher, isVoided: boolean): ReceiptLine[] => [
  ['Voucher', formatSerial(voucher.serial)],
  [voucher.isAtRisk ? 'Accepted' : 'Redeemed', formatCents(voucher.cents)],
  ...(voucher.isAtRisk ? [['Not checked', 'Accepted at the shop’s risk'] as const] : []),
  ...(voucher.voidedAt && !isVoided ? [['Voided', formatInstant(voucher.voidedAt)] as const] : []),
  ['Receipt number', numberOf(voucher)],
]

/** Returns the lines below the vouchers. My day does not know the bill of an earlier receipt, so its lines end with the worth of the vouchers. */
function sumLines(vouchers: readonly ReceiptVoucher[], bill: number | undefined): ReceiptLine[] {
  const counted = vouchers.filter(({ voidedAt }) => !voidedAt)
  const worth = counted.reduce((sum, { cents }) => sum + cents, 0)
  const sum = ['Vouchers', `${pluralize(counted.length, 'voucher')}, ${formatCents(worth)}`] as const
  if (bill === undefined) return [sum]
  const { off, lost } = takenOff(bill, worth)
  return [
    sum,
    ['Bill', formatCents(bill)],
    ...(lost > 0 ? [['Lost, no change given', formatCents(lost)] as const] : []),
    ['Taken off the bill', formatCents(off)],
    ['Still to pay', formatCents(bill - off)],
  ]
}
