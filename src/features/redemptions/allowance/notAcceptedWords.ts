import { formatCents } from '../../../domain/money.ts'
import { formatDayUnlessToday } from '../../../domain/singaporeTime.ts'
import type { Offer, OfferResult } from '../../../offline/allowance/Acceptance.ts'
import { notNowWords, type RowWords } from '../tray/words.ts'

type Not = Extract<OfferResult, { is: 'not' }>
type AllowanceMeter = Offer['meter']

const WHEN_BACK = 'Ask for another way to pay, or check it when the connection is back.'
const TILL_SET_UP = 'Ask for another way to pay. Ask your manager to enrol this till again.'

const waits = (happened: string, todo = WHEN_BACK) => notNowWords(happened, todo)

/** Words for a voucher that may have been used, so they do not say that it stays valid. */
const unsure = (happened: string, changed: Partial<RowWords> = {}): RowWords => ({
  ...waits(happened),
  say: 'Ask for another way to pay. It has to be checked with a connection.',
  tell: '“We have to check this voucher first. Please pay another way, or come back.”',
  ...changed,
})

const WORDS: Record<Exclude<Not['why'], 'forged' | 'expired' | 'till' | 'ended'>, RowWords> = {
  spent: unsure('It is in the list of used vouchers on this device.', {
    word: 'May have been used',
    say: 'This voucher may have been used. Check it when the connection is back.',
  }),
  held: unsure('This voucher is open in another tab of this device.', {
    say: 'Wait: it is open in another tab.',
    todo: 'Redeem it there, or cancel it there.',
  }),
  'unknown key': unsure('This device does not know the key that signed it.'),
  unsigned: waits(
    'Only a voucher with a signed QR code can be accepted without a check.',
    'If it has a QR code, scan that. Otherwise ask for another way to pay.',
  ),
  lists: waits('The lists that prove a voucher are missing on this device, or too old.'),
  voucher: waits('It is worth more than this till may accept without a check.'),
  clock: waits(
    'The clock of this device was changed, so nothing is accepted without a check.',
    'Ask for another way to pay. It is possible again when the connection is back.',
  ),
  'branch PIN': waits('Only the server can check the PIN of your branch.'),
  'not open': waits('Your branch was not open when this till last asked.'),
  'no key': waits('The programme does not sign vouchers yet.'),
  'not enrolled': waits('Only an enrolled till may accept without a check.', TILL_SET_UP),
  revoked: waits('This till was revoked.', TILL_SET_UP),
  'count behind': waits('This till has lost its count of what it accepted without a check.', TILL_SET_UP),
}

/** Says why a voucher that could not be checked is not accepted at the shop's risk either, and what to do. */
export function notAcceptedWords({ why, meter }: Not, refused: (code: string) => RowWords, now = new Date()): RowWords {
  switch (why) {
    // The voucher itself has no value; the server's answer could not change that.
    case 'forged':
      return refused('VOUCHER_FORGED')
    case 'expired':
      return refused('VOUCHER_EXPIRED')
    case 'till':
      return waits(
        `This till may accept only ${formatCents(meter?.left_cents ?? 0)} more without a check.`,
        'Ask for another way to pay. More is possible when the connection is back.',
      )
    case 'ended': {
      const until = meter ? formatDayUnlessToday(new Date(meter.ends_at), now) : 'now'
      return waits(`This till could accept without a check until ${until}.`)
    }
    default:
      return WORDS[why]
  }
}

/** "$38.00 of $50.00 left, until 16:20", with the date unless it is today. */
export const meterText = ({ left_cents, limit_cents, ends_at }: AllowanceMeter, now = new Date()): string =>
  `${formatCents(left_cents)} of ${formatCents(limit_cents)} left, until ${formatDayUnlessToday(new Date(ends_at), now)}`
