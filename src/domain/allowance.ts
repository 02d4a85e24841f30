import type { AllowanceRules } from '../contract/redemptions/allowance.ts'
import { formatCents } from './money.ts'

/** Describes the highest possible cost of an allowance, in words with numbers (rule 9.26). */
export const allowanceCost = ({ voucher_cents, till_cents, day_cents }: AllowanceRules): string =>
  `Your tills may accept vouchers of up to ${formatCents(voucher_cents)} without a check: at most ${formatCents(Math.min(till_cents, day_cents))} each and ${formatCents(day_cents)} a day. You lose what was used elsewhere.`
