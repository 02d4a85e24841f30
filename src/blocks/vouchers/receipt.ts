import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'

/** What a receipt says of one redemption. */
export interface ReceiptFacts {
  /** The merchant. Missing where only the branch is known. */
  shop?: string
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
  voidedAt?: Date | undefined
}

export type ReceiptLine = readonly [name: string, value: string]

/** What goes on paper, whoever prints it. */
export interface PrintedReceipt {
  /** Names above the title: the merchant, then the branch. */
  from: readonly string[]
  title: string
  /** Says that it does not count any more. */
  mark?: string | undefined
  lines: readonly ReceiptLine[]
  /** 13 digits, printed as on a voucher: as a square and as bars. */
  code?: string
  /** Below all. */
  note?: string
}

export const PROGRAMME = 'Health Rewards Programme'

/** A stall may be called as its merchant is. */
export const receiptHead = (shop: string | undefined, branch: string | null): string[] => [
  ...new Set([shop, branch].filter((name) => typeof name === 'string')),
]

/** A void may come before the server has recorded anything. */
function numberLater({ isAtRisk, voidedAt }: ReceiptFacts): string {
  if (voidedAt) return 'None: voided before it was recorded'
  return isAtRisk ? 'Follows if it was not used elsewhere' : 'Follows when it has uploaded'
}

/** The same on the screen, on paper and shared to another app. */
export function redemptionReceipt(facts: ReceiptFacts): PrintedReceipt {
  const { shop, branch, till, cashier, serial, worth, at, number, isAtRisk, voidedAt } = facts
  return {
    from: receiptHead(shop, branch),
    title: 'Receipt',
    mark: voidedAt && `Voided ${formatInstant(voidedAt)}`,
    lines: [
      ...(till ? [['Till', till] as const] : []),
      ['Cashier', cashier],
      ['Voucher', formatSerial(serial)],
      [isAtRisk ? 'Accepted' : 'Redeemed', worth],
      ...(isAtRisk ? [['Not checked', 'Accepted at the shop’s risk'] as const] : []),
      ['Time', formatInstant(at)],
      ['Receipt number', number ?? numberLater(facts)],
    ],
    note: PROGRAMME,
  }
}
