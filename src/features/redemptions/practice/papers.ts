import { FIRST_OF_PRACTICE, withCheckDigit } from '../../../domain/vouchers.ts'

/** How a paper stands: good, as a server would refuse it, or as if no server answered. */
type Stand = 'good' | 'VOUCHER_ALREADY_USED' | 'VOUCHER_EXPIRED' | 'VOUCHER_HELD' | 'silent'

/** A voucher of practice. */
export interface Paper {
  serial: string
  name: string
  cents: number
  stand: Stand
}

const paper = (place: number, name: string, cents: number, stand: Stand): Paper => ({
  serial: withCheckDigit(`2${FIRST_OF_PRACTICE + place}`),
  name,
  cents,
  stand,
})

/** Good ones of three sums, so that a bill can be paid with several. */
export const PAPERS: readonly Paper[] = [
  paper(1, 'Good', 1000, 'good'),
  paper(2, 'Good', 500, 'good'),
  paper(3, 'Good', 200, 'good'),
  paper(4, 'Used', 1000, 'VOUCHER_ALREADY_USED'),
  paper(5, 'Expired', 1000, 'VOUCHER_EXPIRED'),
  paper(6, 'On hold', 1000, 'VOUCHER_HELD'),
  paper(7, 'No connection', 1000, 'silent'),
]
