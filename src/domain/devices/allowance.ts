import type { AllowanceRules } from '../../contract/redemptions/allowance.ts'
import type { Concern } from '../../contract/redemptions/losses.ts'
import { formatCents } from '../money.ts'
import { pluralize } from '../quantities.ts'
import { formatSerial } from '../vouchers.ts'

/** What an allowance can cost at most, in words with numbers (rule 9.26). */
export const allowanceCost = ({ voucher_cents, till_cents, day_cents }: AllowanceRules): string =>
  `Your tills may accept vouchers of up to ${formatCents(voucher_cents)} without a check: at most ${formatCents(Math.min(till_cents, day_cents))} each and ${formatCents(day_cents)} a day. You lose what was used elsewhere.`

/** What somebody should look at: in short, and with its facts. */
export function concernWords(concern: Concern): { title: string; text: string } {
  switch (concern.kind) {
    case 'same voucher': {
      const tills = concern.tills.map(placeText)
      const all = concern.elsewhere ? [...tills, 'another merchant'] : tills
      return {
        title: 'The same voucher at several tills',
        text: `${formatSerial(concern.serial)}, ${formatCents(concern.cents)}: ${all.join('; ')}. Somebody may have copied it.`,
      }
    }
    case 'serials in a row':
      return {
        title: `${concern.count} vouchers in a row`,
        text: `${placeText(concern)}: ${formatSerial(concern.first)} to ${formatSerial(concern.last)}, ${formatCents(concern.cents)}, in one day. A customer rarely has so many from one sheet.`,
      }
    case 'limit reached':
      return {
        title: `Limit reached on ${concern.days} of 7 days`,
        text: `${placeText(concern)}. Find out why its connection fails so often.`,
      }
    case 'to review':
      return {
        title: `${pluralize(concern.count, 'voucher')} refused, to review`,
        text: `${placeText(concern)}: ${formatCents(concern.cents)}. Nothing of it is in your reports.`,
      }
  }
}

const placeText = ({ branch_name, till }: { branch_name: string; till: string }) => `${till}, ${branch_name}`
