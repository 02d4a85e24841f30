import { formatCents } from '../../../domain/money.ts'
import { formatDayUnlessToday } from '../../../domain/singaporeTime.ts'
import type { Meter } from '../../../offline/redemptions/allowance.ts'
import { ICONS } from '../../../ui/icons.tsx'
import type { CounterState } from '../counterState.ts'
import type { Verdict } from '../verdict/Verdict.ts'

type Why = Extract<CounterState, { at: 'not-accepted' }>['why']

interface Words extends Pick<Verdict, 'word' | 'say' | 'happened' | 'tell' | 'todo'> {
  stub: [string, string]
}

const CANNOT = 'Cannot be checked now'
const STAYS_VALID = '“We cannot check it now. Please keep it, it stays valid.”'
const WHEN_BACK = 'Ask for other payment, or check it when the connection is back.'

const waits = (happened: string, todo = WHEN_BACK): Words => ({
  word: CANNOT,
  say: 'Ask for other payment. The voucher stays valid.',
  happened: `${happened} Nothing was redeemed.`,
  tell: STAYS_VALID,
  todo,
  stub: ['Not', 'redeemed'],
})

/** Nobody here knows whether it is still good, so nobody is told that it stays valid. */
const unsure = (happened: string, todo = WHEN_BACK): Words => ({
  ...waits(happened, todo),
  say: 'Ask for other payment. It has to be checked with a connection.',
  tell: '“We have to check this voucher first. Please pay another way, or come back.”',
})

const OTHER_PAYMENT = '“We cannot accept this voucher. Please pay another way.”'

/** About the voucher itself: nothing is taken off the bill. */
const REFUSED: Partial<Record<Why, Omit<Words, 'say'>>> = {
  forged: {
    word: 'Not genuine',
    happened: 'Its signature is wrong: it was changed or forged. Nothing was redeemed.',
    tell: OTHER_PAYMENT,
    todo: 'Ask for other payment, and tell your manager about it.',
    stub: ['Not', 'genuine'],
  },
  expired: {
    word: 'Expired',
    happened: 'This voucher has expired. Nothing was redeemed.',
    tell: '“This voucher has expired. Please pay another way.”',
    todo: 'Ask for other payment. Do not keep the voucher.',
    stub: ['Expired', 'no value left'],
  },
  known: {
    word: 'Already used here',
    happened: 'This till has had this voucher before. Nothing was redeemed now.',
    tell: '“This voucher was used here already. Please pay another way, or use another voucher.”',
    todo: 'If it is the same customer and the same bill, it is off already.',
    stub: ['Used', 'at this till'],
  },
}

/** It has to be checked with a connection: nothing says that it has no value. */
function waitingWords(why: Why, meter: Meter | undefined, now: Date): Words {
  switch (why) {
    case 'spent':
      return {
        ...unsure('It is in the list of used vouchers on this device.'),
        word: 'May have been used',
        say: 'This voucher may have been used. Check it when the connection is back.',
      }
    case 'held':
      return {
        ...unsure('Another tab of this device has this voucher in hand.', 'Redeem it there, or cancel it there.'),
        say: 'Take nothing off the bill now.',
      }
    case 'unsigned':
      return waits(
        'Only a voucher with a signed QR code can be accepted without a check.',
        'If it has a QR code, scan that. Otherwise ask for other payment.',
      )
    case 'unknown key':
      return unsure('This device does not know the key that signed it.')
    case 'ended key':
      return unsure('The programme no longer trusts the key that signed it.')
    case 'keys':
      return waits('This device has no keys to prove signatures with.')
    case 'filter':
      return waits('The list of used vouchers on this device is too old.')
    case 'voucher':
      return waits('It is worth more than this till may accept without a check.')
    case 'till':
      return waits(
        `This till has only ${formatCents(meter?.left_cents ?? 0)} left without a check.`,
        'Ask for other payment. More is possible when the connection is back.',
      )
    case 'ended':
      return waits(
        `This till could accept without a check until ${meter ? formatDayUnlessToday(new Date(meter.ends_at), now) : 'now'}.`,
      )
    case 'clock':
      return waits(
        'The clock of this device was changed, so nothing is accepted without a check.',
        'Ask for other payment. It is possible again when the connection is back.',
      )
    case 'chosen':
      return waits(
        'The connection is bad, and chance chose this voucher for a check.',
        'Check this one when the connection is back.',
      )
    case 'pin':
      return waits('Only the server can check the PIN of your branch.')
    default:
      return waits('There is no connection, so the server could not check it.')
  }
}

/** A voucher that could not be checked, and that is not accepted at the shop's risk either: why, and what to do. */
export function notAcceptedVerdict(
  { serial, why, meter }: Extract<CounterState, { at: 'not-accepted' }>,
  now = new Date(),
): Verdict {
  const refused = REFUSED[why]
  if (refused) {
    const { stub, ...words } = refused
    return {
      ...words,
      tone: 'refused',
      icon: ICONS.x,
      say: 'Take nothing off the bill.',
      ticket: { state: 'absent', worth: why === 'forged' ? 'Unknown' : 'No value', serial, stub },
    }
  }
  const { stub, ...words } = waitingWords(why, meter, now)
  return {
    ...words,
    tone: 'unknown',
    icon: ICONS.q,
    ticket: { state: 'hollow', worth: 'Not checked', serial, stub },
  }
}
