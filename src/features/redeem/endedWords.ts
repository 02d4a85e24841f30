import * as v from 'valibot'
import { EndedHold, type HoldEnding } from '../../contract/redemptions/hold.ts'
import type { TillRow } from '../../offline/store/till.ts'

const ENDING_MESSAGES: Record<HoldEnding, string> = {
  cancelled: 'This till gave the voucher back before the upload arrived.',
  'released by merchant': 'Your merchant released its hold before the upload arrived.',
  'released by provider': 'The programme released its hold before the upload arrived.',
  deactivated: 'This till or its branch was deactivated before the upload arrived.',
  'taken over': 'Another till redeemed it first, after its hold had run out.',
  redeemed: 'It was redeemed under this hold before.',
  voided: 'Its redemption was taken back.',
}

/** Why the server refused what the cashier had taken, for whoever has to put it right. */
export function refusalMessage({ refused }: Pick<TillRow, 'refused'>): string {
  const ended = v.safeParse(EndedHold, refused?.data)
  if (refused?.code === 'HOLD_ENDED' && ended.success) return ENDING_MESSAGES[ended.output.by]
  return refused?.message ?? 'The server did not accept it.'
}
