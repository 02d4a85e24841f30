import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'

/** What a receipt says of one redemption. */
export interface ReceiptFacts {
  branch: string
  /** The till's name then, if it had one. */
  till: string | null | undefined
  cashier: string
  serial: string
  worth: string
  at: Date
  /** Missing until the upload. */
  number: string | undefined
  /** Accepted without a check: it may turn out to have been used elsewhere. */
  isAtRisk?: boolean
}

export type ReceiptLine = readonly [name: string, value: string]

/** What goes on paper, whoever prints it. */
export interface PrintedReceipt {
  title: string
  lines: readonly ReceiptLine[]
  /** 13 digits, printed as on a voucher: as a square and as bars. */
  code?: string
  /** Below all. */
  note?: string
}

/** The same on the screen, on paper and shared to another app. */
export const receiptLines = ({
  branch,
  till,
  cashier,
  serial,
  worth,
  at,
  number,
  isAtRisk,
}: ReceiptFacts): ReceiptLine[] => [
  ['Branch', branch],
  ...(till ? [['Till', till] as const] : []),
  ['Cashier', cashier],
  ['Voucher', formatSerial(serial)],
  [isAtRisk ? 'Accepted' : 'Redeemed', worth],
  ...(isAtRisk ? [['Not checked', 'Accepted at the shop’s risk'] as const] : []),
  ['Time', formatInstant(at)],
  ['Receipt number', number ?? (isAtRisk ? 'Follows if it was not used elsewhere' : 'Follows when it has uploaded')],
]
