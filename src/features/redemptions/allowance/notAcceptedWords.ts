import { formatCents } from '../../../domain/money.ts'
import { formatDayUnlessToday } from '../../../domain/singaporeTime.ts'
import type { Silence } from '../../../offline/allowance/Acceptance.ts'
import type { RowWords } from '../tray/words.ts'

type Not = Extract<Silence, { is: 'not' }>
type Why = Not['why']

type Words = Pick<RowWords, 'word' | 'say' | 'happened' | 'tell' | 'todo'>

const WHEN_BACK = 'Ask for other payment, or check it when the connection is back.'
const TILL_SET_UP = 'Ask for other payment. Tell your manager to enrol this till anew.'

const waits = (happened: string, todo = WHEN_BACK): Words => ({
  word: 'Cannot be checked now',
  say: 'Ask for other payment. The voucher stays valid.',
  happened: `${happened} Nothing was redeemed.`,
  tell: '“We cannot check it now. Please keep it, it stays valid.”',
  todo,
})

/** Nobody here knows whether it is still good, so nobody is told that it stays valid. */
const unsure = (happened: string, todo = WHEN_BACK): Words => ({
  ...waits(happened, todo),
  say: 'Ask for other payment. It has to be checked with a connection.',
  tell: '“We have to check this voucher first. Please pay another way, or come back.”',
})

/** About the voucher itself: nothing is taken off the bill. */
const refused = (words: Omit<Words, 'say'>): Words => ({ ...words, say: 'Take nothing off the bill.' })

const WORDS: Record<Exclude<Why, 'till' | 'ended'>, Words> = {
  forged: refused({
    word: 'Not genuine',
    happened: 'Its signature is wrong: it was changed or forged. Nothing was redeemed.',
    tell: '“We cannot accept this voucher. Please pay another way.”',
    todo: 'Ask for other payment, and tell your manager about it.',
  }),
  expired: refused({
    word: 'Expired',
    happened: 'This voucher has expired. Nothing was redeemed.',
    tell: '“This voucher has expired. Please pay another way.”',
    todo: 'Ask for other payment. Give the voucher back.',
  }),
  known: refused({
    word: 'Already used here',
    happened: 'This till has had this voucher before. Nothing was redeemed now.',
    tell: '“This voucher was used here already. Please pay another way, or use another voucher.”',
    todo: 'For the same customer and bill, it has already been taken off.',
  }),
  spent: {
    ...unsure('It is in the list of used vouchers on this device.'),
    word: 'May have been used',
    say: 'This voucher may have been used. Check it when the connection is back.',
  },
  held: {
    ...unsure('Another tab of this device has this voucher in hand.', 'Redeem it there, or cancel it there.'),
    say: 'Take nothing off the bill now.',
  },
  unsigned: waits(
    'Only a voucher with a signed QR code can be accepted without a check.',
    'If it has a QR code, scan that. Otherwise ask for other payment.',
  ),
  'unknown key': unsure('This device does not know the key that signed it.'),
  'ended key': unsure('The programme no longer trusts the key that signed it.'),
  keys: waits('This device has no keys to prove signatures with.'),
  filter: waits('The list of used vouchers on this device is too old.'),
  voucher: waits('It is worth more than this till may accept without a check.'),
  clock: waits(
    'The clock of this device was changed, so nothing is accepted without a check.',
    'Ask for other payment. It is possible again when the connection is back.',
  ),
  'branch PIN': waits('Only the server can check the PIN of your branch.'),
  'no rules': waits('Your branch accepts nothing without a check.'),
  'not open': waits('Your branch was not open when this till last asked.'),
  'no key': waits('The programme does not sign vouchers yet.'),
  'not enrolled': waits('Only an enrolled till may accept without a check.', TILL_SET_UP),
  revoked: waits('This till was revoked.', TILL_SET_UP),
  'count behind': waits('This till has lost its count of what it accepted without a check.', TILL_SET_UP),
}

function wordsOf({ why, meter }: Not, now: Date): Words {
  if (why === 'till')
    return waits(
      `This till has only ${formatCents(meter?.left_cents ?? 0)} left without a check.`,
      'Ask for other payment. More is possible when the connection is back.',
    )
  if (why !== 'ended') return WORDS[why]
  const until = meter ? formatDayUnlessToday(new Date(meter.ends_at), now) : 'now'
  return waits(`This till could accept without a check until ${until}.`)
}

/** A voucher that could not be checked, and that is not accepted at the shop's risk either: why, and what to do. */
export const notAcceptedWords = (not: Not, now = new Date()): RowWords => ({
  ...wordsOf(not, now),
  tone: REFUSED.includes(not.why) ? 'refused' : 'unknown',
  mayTryAgain: !REFUSED.includes(not.why),
})

/** About the voucher itself. */
const REFUSED: readonly Why[] = ['forged', 'expired', 'known']
