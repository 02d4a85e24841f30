import { FIRST_OF_PRACTICE, withCheckDigit } from '../../../domain/vouchers.ts'

/** The result of a practice voucher: good, a refusal as the server would give it, or no answer. */
type PracticeResult = 'good' | 'VOUCHER_ALREADY_USED' | 'VOUCHER_EXPIRED' | 'VOUCHER_HELD' | 'silent'

/** A practice voucher, as a button shows it. */
export interface PracticeVoucher {
  serial: string
  name: string
  cents: number
  result: PracticeResult
}

const practiceVoucher = (place: number, name: string, cents: number, result: PracticeResult): PracticeVoucher => ({
  serial: withCheckDigit(`2${FIRST_OF_PRACTICE + place}`),
  name,
  cents,
  result,
})

/** Good vouchers have three values, so that a bill can be paid with several. */
export const PRACTICE_VOUCHERS: readonly PracticeVoucher[] = [
  practiceVoucher(1, 'Good', 1000, 'good'),
  practiceVoucher(2, 'Good', 500, 'good'),
  practiceVoucher(3, 'Good', 200, 'good'),
  practiceVoucher(4, 'Used', 1000, 'VOUCHER_ALREADY_USED'),
  practiceVoucher(5, 'Expired', 1000, 'VOUCHER_EXPIRED'),
  practiceVoucher(6, 'On hold', 1000, 'VOUCHER_HELD'),
  practiceVoucher(7, 'No connection', 1000, 'silent'),
]
