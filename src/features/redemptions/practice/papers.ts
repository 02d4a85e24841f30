import { FIRST_OF_PRACTICE, withCheckDigit } from '../../../domain/vouchers.ts'

/** The result of a practice voucher: good, a refusal as the server would give it, or no answer. */
type Stand = 'good' | 'VOUCHER_ALREADY_USED' | 'VOUCHER_EXPIRED' | 'VOUCHER_HELD' | 'silent'

/** A practice voucher. */
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

/** Includes good ones of three values, so that a bill can be paid with several. */
export const PAPERS: readonly Paper[] = [
  paper(1, 'Good', 1000, 'good'),
  paper(2, 'Good', 500, 'good'),
  paper(3, 'Good', 200, 'good'),
  paper(4, 'Used', 1000, 'VOUCHER_ALREADY_USED'),
  paper(5, 'Expired', 1000, 'VOUCHER_EXPIRED'),
  paper(6, 'On hold', 1000, 'VOUCHER_HELD'),
  paper(7, 'No connection', 1000, 'silent'),
]
