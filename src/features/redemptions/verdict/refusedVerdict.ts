import * as v from 'valibot'
import { VoucherHeld } from '../../../contract/redemptions/counter.ts'
import { VoucherFacts } from '../../../contract/vouchers.ts'
import { formatCents } from '../../../domain/money.ts'
import { formatDay, formatTime } from '../../../domain/singaporeTime.ts'
import type { Refusal } from '../../../offline/store/till.ts'
import { waitText } from '../../../ui/form/formErrors.ts'
import { ICONS } from '../../../ui/icons.tsx'
import type { Verdict } from './Verdict.ts'

interface RefusalMessages {
  word: string
  happened: string
  tell: string
  todo: string
  stub: [string, string]
}

const OTHER_PAYMENT = 'Ask for other payment.'

/** Refusals that are about the voucher itself: it has no value. */
const REFUSAL_MESSAGES: Record<string, RefusalMessages> = {
  VOUCHER_ALREADY_USED: {
    word: 'Already used',
    happened: 'This voucher was redeemed before. It has no value left.',
    tell: '“This voucher was already used. Please pay another way, or use another voucher.”',
    todo: `${OTHER_PAYMENT} Do not keep the voucher.`,
    stub: ['Used', 'before now'],
  },
  VOUCHER_EXPIRED: {
    word: 'Expired',
    happened: 'This voucher has expired.',
    tell: '“This voucher has expired. Please pay another way, or use another voucher.”',
    todo: `${OTHER_PAYMENT} Do not keep the voucher.`,
    stub: ['Expired', 'no value left'],
  },
  VOUCHER_REVOKED: {
    word: 'Revoked',
    happened: 'The programme has withdrawn this voucher. It cannot be redeemed.',
    tell: '“This voucher is no longer valid. Please ask the programme about it.”',
    todo: `${OTHER_PAYMENT} Do not keep the voucher.`,
    stub: ['Revoked', 'no value'],
  },
  VOUCHER_UNKNOWN: {
    word: 'Unknown voucher',
    happened: 'No voucher of the programme has this serial number. It may be the price label of goods.',
    tell: '“We cannot find this voucher. Please pay another way.”',
    todo: `Compare the number with the one under the barcode. If it is the same: ${OTHER_PAYMENT.toLowerCase()}`,
    stub: ['Not', 'redeemed'],
  },
}

/** The server refused. Some refusals only mean "not now" and say nothing about the voucher. */
export function refusedVerdict(refused: Refusal, serial: string): Verdict {
  if (refused.code === 'VOUCHER_HELD') return onHold(refused, serial)
  const messages = REFUSAL_MESSAGES[refused.code]
  return messages ? noValue(messages, refused, serial) : notNow(refused, serial)
}

function noValue(
  { word, happened, tell, todo, stub }: RefusalMessages,
  { code, data }: Refusal,
  serial: string,
): Verdict {
  const facts = v.safeParse(VoucherFacts, data)
  const note =
    code === 'VOUCHER_EXPIRED' && facts.success ? `Valid until ${formatDay(facts.output.expires_on)}` : 'No value left'
  return {
    tone: 'refused',
    icon: ICONS.x,
    word,
    say: 'Take nothing off the bill.',
    ticket: {
      state: 'absent',
      worth: facts.success ? formatCents(facts.output.denomination_cents) : 'Unknown',
      serial,
      ...(facts.success ? { note } : {}),
      stub,
    },
    happened,
    tell,
    todo,
  }
}

/** Amber and a clock: the till that has it can still redeem it, or let it go. */
function onHold({ data }: Refusal, serial: string): Verdict {
  const parsed = v.safeParse(VoucherHeld, data)
  const held = parsed.success ? parsed.output : undefined
  const where = held?.till ?? 'another till'
  return {
    tone: 'on hold',
    icon: ICONS.wait,
    word: 'On hold',
    say: 'Wait: another till has it.',
    ticket: {
      state: 'hollow',
      worth: held ? formatCents(held.denomination_cents) : 'Not free',
      serial,
      stub: ['On hold', held ? `since ${formatTime(new Date(held.since))}` : 'now'],
    },
    happened: held
      ? `On hold at ${where} since ${formatTime(new Date(held.since))}. Only that till can redeem it.`
      : 'Another till has this voucher on hold. Only that till can redeem it.',
    tell: '“Another till has just checked this voucher. One moment, please.”',
    todo: `Ask the cashier at ${where} to redeem it or press Cancel. Otherwise ask for another way to pay.`,
  }
}

const NOT_NOW_MESSAGES: Record<string, string> = {
  BRANCH_CLOSED: 'This branch is outside its dates, so it cannot redeem.',
  HOLD_LIMIT: 'Too many vouchers are on hold at this till. Finish or cancel them first.',
  PIN_NOT_SET: 'This branch has no PIN yet. Your merchant sets it.',
  TILL_UNKNOWN: 'This till has no name yet. Press “Next voucher” and name it.',
  TILL_REVOKED: 'This till was revoked. Press “Next voucher” and enter a code of your manager.',
  TILL_NOT_ENROLLED: 'This till is not enrolled. Press “Next voucher” and enter a code of your manager.',
}

function notNow({ code, message, data }: Refusal, serial: string): Verdict {
  const wait = data['retry_after_seconds']
  const again = typeof wait === 'number' ? ` Try again in ${waitText(wait)}.` : ''
  return {
    tone: 'unknown',
    icon: ICONS.q,
    word: 'Cannot be checked now',
    say: 'Ask for other payment. The voucher stays valid.',
    ticket: { state: 'hollow', worth: 'Not checked', serial, stub: ['Not', 'redeemed'] },
    happened: `${NOT_NOW_MESSAGES[code] ?? message}${again} Nothing was redeemed.`,
    tell: '“We cannot check it now. Please keep it, it stays valid.”',
    todo: 'Ask for other payment.',
  }
}
