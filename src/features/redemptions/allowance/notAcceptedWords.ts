import { formatCents } from '../../../domain/money.ts'
import { formatDayUnlessToday } from '../../../domain/singaporeTime.ts'
import type { Offer, OfferResult } from '../../../offline/allowance/Acceptance.ts'
import { notNowWords, type RowWords } from '../tray/words.ts'

type NotAccepted = Extract<OfferResult, { is: 'not' }>
type AllowanceMeter = Offer['meter']

const CHECK_LATER = 'Ask for another way to pay, or check it when the connection is back.'
const ENROL_AGAIN = 'Ask for another way to pay. Ask your manager to enrol this till again.'

const laterWords = (happened: string, todo = CHECK_LATER) => notNowWords(happened, todo)

/** Returns words that do not say that the voucher stays valid, because it may have been used. */
const mayBeUsedWords = (happened: string, changed: Partial<RowWords> = {}): RowWords => ({
  ...laterWords(happened),
  say: 'Ask for another way to pay. It has to be checked with a connection.',
  tell: '“We have to check this voucher first. Please pay another way, or come back.”',
  ...changed,
})

const WORDS: Record<Exclude<NotAccepted['why'], 'forged' | 'expired' | 'till' | 'ended'>, RowWords> = {
  spent: mayBeUsedWords('It is in the list of used vouchers on this device.', {
    word: 'May have been used',
    say: 'This voucher may have been used. Check it when the connection is back.',
  }),
  held: mayBeUsedWords('This voucher is open in another tab of this device.', {
    say: 'Wait: it is open in another tab.',
    todo: 'Redeem it there, or cancel it there.',
  }),
  'unknown key': mayBeUsedWords('This device does not know the key that signed it.'),
  unsigned: laterWords(
    'Only a voucher with a signed QR code can be accepted without a check.',
    'If it has a QR code, scan that. Otherwise ask for another way to pay.',
  ),
  lists: laterWords('The lists that prove a voucher are missing on this device, or too old.'),
  voucher: laterWords('It is worth more than this till may accept without a check.'),
  clock: laterWords(
    'The clock of this device was changed, so nothing is accepted without a check.',
    'Ask for another way to pay. It is possible again when the connection is back.',
  ),
  'branch PIN': laterWords('Only the server can check the PIN of your branch.'),
  'not open': laterWords('Your branch was not open when this till last asked.'),
  'no key': laterWords('The programme does not sign vouchers yet.'),
  'not enrolled': laterWords('Only an enrolled till may accept without a check.', ENROL_AGAIN),
  revoked: laterWords('This till was revoked.', ENROL_AGAIN),
  'count behind': laterWords('This till has lost its count of what it accepted without a check.', ENROL_AGAIN),
}

/** Returns the words for a voucher that could be neither checked nor accepted at the shop's risk: why, and what to do. */
export function notAcceptedWords(
  { why, meter }: NotAccepted,
  refused: (code: string) => RowWords,
  now = new Date(),
): RowWords {
  switch (why) {
    // The voucher has no value, whatever the server would answer.
    case 'forged':
      return refused('VOUCHER_FORGED')
    case 'expired':
      return refused('VOUCHER_EXPIRED')
    case 'till':
      return laterWords(
        `This till may accept only ${formatCents(meter?.left_cents ?? 0)} more without a check.`,
        'Ask for another way to pay. More is possible when the connection is back.',
      )
    case 'ended': {
      const until = meter ? formatDayUnlessToday(new Date(meter.ends_at), now) : 'now'
      return laterWords(`This till could accept without a check until ${until}.`)
    }
    default:
      return WORDS[why]
  }
}

/** Returns for example "$38.00 of $50.00 left, until 16:20", with the date unless it is today. */
export const meterText = ({ left_cents, limit_cents, ends_at }: AllowanceMeter, now = new Date()): string =>
  `${formatCents(left_cents)} of ${formatCents(limit_cents)} left, until ${formatDayUnlessToday(new Date(ends_at), now)}`
