/** One bill takes at most so many vouchers (DESIGN §7: as many as one till may hold). */
export const VOUCHERS_PER_BILL = 15

export interface BillTotals {
  /** Face value of the vouchers, in cents like the rest. */
  vouchers: number
  /** What is still to pay another way; undefined without an amount. */
  toCollect: number | undefined
  /** What the vouchers are worth beyond the bill: no change is given. */
  forfeited: number
}

/** `amount`: of the bill, in cents, if known; `worths`: of each voucher that was taken. */
export function billTotals(amount: number | null, worths: readonly number[]): BillTotals {
  const vouchers = worths.reduce((sum, worth) => sum + worth, 0)
  if (amount === null) return { vouchers, toCollect: undefined, forfeited: 0 }
  return { vouchers, toCollect: Math.max(amount - vouchers, 0), forfeited: Math.max(vouchers - amount, 0) }
}
