import { LIMITS } from '../../contract/limits.ts'
import { VOUCHERS_PER_BILL } from '../../domain/billTotals.ts'
import type { CounterState } from '../redemptions/counterState.ts'
import type { Verdict } from '../redemptions/verdict/Verdict.ts'
import type { CounterLimit } from './whyFull.ts'

type LimitMessages = Pick<Verdict, 'word' | 'happened' | 'tell' | 'todo'>

const LIMIT_MESSAGES: Record<CounterLimit, LimitMessages> = {
  bill: {
    word: 'This bill is full',
    happened: `A bill takes ${VOUCHERS_PER_BILL} vouchers, and this one has them. This voucher was not checked.`,
    tell: '“One bill takes no more vouchers. Please keep this one, it stays valid.”',
    todo: 'Collect the rest another way, then press Finish bill.',
  },
  holds: {
    word: 'Too many vouchers wait',
    happened: `${LIMITS.openHolds} vouchers of this till wait for the server, and it keeps no more.`,
    tell: '“We cannot check it now. Please keep it, it stays valid.”',
    todo: 'Ask for other payment, or try again when they are uploaded.',
  },
}

/** No voucher more, before anything is asked: nothing was taken, and nothing is wrong with the voucher. */
export const fullVerdict = ({ full, serial }: Extract<CounterState, { at: 'full' }>): Verdict => ({
  ...LIMIT_MESSAGES[full],
  tone: 'unknown',
  icon: 'q',
  say: 'Nothing was taken. The voucher stays valid.',
  ticket: { state: 'hollow', worth: 'Not checked', serial, stub: ['Nothing', 'was taken'] },
})
