import * as v from 'valibot'
import { VoucherHeld } from '../../../contract/redemptions/counter.ts'
import { VoucherFacts } from '../../../contract/vouchers.ts'
import { formatDay, formatTime } from '../../../domain/singaporeTime.ts'
import type { Refusal } from '../../../offline/store/till.ts'
import { waitText } from '../../../ui/form/formErrors.ts'
import { notNowWords, type RowWords } from './words.ts'

type RefusalWords = Pick<RowWords, 'word' | 'happened' | 'tell' | 'todo'>

const OTHER_PAYMENT = 'Ask for another way to pay.'

/** Words for refusals after which the voucher has no value. */
const REFUSAL_MESSAGES: Record<string, RefusalWords> = {
  VOUCHER_ALREADY_USED: {
    word: 'Already used',
    happened: 'This voucher was redeemed before. It has no value left.',
    tell: '“This voucher was already used. Please pay another way, or use another voucher.”',
    todo: `${OTHER_PAYMENT} Give the voucher back.`,
  },
  VOUCHER_EXPIRED: {
    word: 'Expired',
    happened: 'This voucher has expired.',
    tell: '“This voucher has expired. Please pay another way, or use another voucher.”',
    todo: `${OTHER_PAYMENT} Give the voucher back.`,
  },
  /** Found by this device alone: the server was not asked. */
  VOUCHER_FORGED: {
    word: 'Not genuine',
    happened: 'Its signature is wrong: it was changed or forged. Nothing was redeemed.',
    tell: '“We cannot accept this voucher. Please pay another way.”',
    todo: `${OTHER_PAYMENT} Tell your manager about it.`,
  },
  VOUCHER_REVOKED: {
    word: 'Revoked',
    happened: 'The programme has withdrawn this voucher. It cannot be redeemed.',
    tell: '“This voucher is no longer valid. Please ask the programme about it.”',
    todo: `${OTHER_PAYMENT} Give the voucher back.`,
  },
  VOUCHER_UNKNOWN: {
    word: 'Unknown voucher',
    happened: 'No voucher of the programme has this serial number. It may be the price label of goods.',
    tell: '“We cannot find this voucher. Please pay another way.”',
    todo: `Compare the number with the one under the barcode. If it is the same: ${OTHER_PAYMENT.toLowerCase()}`,
  },
}

/** The code with which practice refuses any other voucher. No server was asked. */
export const NOT_A_PRACTICE_VOUCHER = 'NOT_A_PRACTICE_VOUCHER'

const NOT_A_PRACTICE_VOUCHER_WORDS: RowWords = {
  tone: 'unknown',
  word: 'Not a practice voucher',
  say: 'It was not checked, and nothing was redeemed.',
  happened: 'Practice works only with its own paper vouchers.',
  tell: '',
  todo: 'Is it a customer’s voucher? End practice, then scan it again.',
}

/** Returns the words for a refusal. Some refusals only mean "not now" and say nothing about the voucher. */
export function refusedWords(refused: Refusal): RowWords {
  if (refused.code === 'VOUCHER_HELD') return onHoldWords(refused)
  if (refused.code === NOT_A_PRACTICE_VOUCHER) return NOT_A_PRACTICE_VOUCHER_WORDS
  const words = REFUSAL_MESSAGES[refused.code]
  return words ? noValueWords(words, refused) : notNowRefusal(refused)
}

function noValueWords(words: RefusalWords, { code, data }: Refusal): RowWords {
  const facts = v.safeParse(VoucherFacts, data)
  const { expires_on, denomination_cents: cents } = facts.success ? facts.output : {}
  return {
    ...words,
    tone: 'refused',
    say: 'Take nothing off the bill.',
    cents,
    fact: code === 'VOUCHER_EXPIRED' && expires_on ? `Valid until ${formatDay(expires_on)}` : undefined,
  }
}

/** Returns the words for a voucher on hold at another till, which can still redeem it or give it back. */
function onHoldWords({ data }: Refusal): RowWords {
  const parsed = v.safeParse(VoucherHeld, data)
  const held = parsed.success ? parsed.output : undefined
  if (held?.is_this_till) return onHoldHereWords(held)
  const where = held?.till ?? 'another till'
  const since = held && `On hold at ${where} since ${formatTime(new Date(held.since))}`
  return {
    tone: 'on hold',
    word: 'On hold',
    say: 'Wait: another till has it.',
    cents: held?.denomination_cents,
    fact: since && `at ${where} since ${formatTime(new Date(held.since))}`,
    happened: since
      ? `${since}. Only that till can redeem it.`
      : 'Another till has this voucher on hold. Only that till can redeem it.',
    tell: '“Another till has just checked this voucher. One moment, please.”',
    todo: `Ask the cashier at ${where} to redeem it or give it back. Otherwise ask for another way to pay.`,
    mayTryAgain: true,
  }
}

/**
 * Returns the words for a voucher that another tab or the installed app of this till has. If that window is closed, the hold ends
 * within a minute.
 */
const onHoldHereWords = ({ denomination_cents, since }: VoucherHeld): RowWords => ({
  tone: 'on hold',
  word: 'On hold',
  say: 'Another window of this till has it.',
  cents: denomination_cents,
  fact: `in another window since ${formatTime(new Date(since))}`,
  happened: 'It was scanned in another window or tab of this till. Only that window can redeem it.',
  tell: '“One moment, please.”',
  todo: 'Redeem it in the other window, or give it back there. Is none open? Then try again in a minute.',
  mayTryAgain: true,
})

const NOT_NOW_MESSAGES: Record<string, string> = {
  BRANCH_CLOSED: 'This branch is not open on this date, so it cannot redeem.',
  HOLD_LIMIT: 'Too many vouchers are on hold at this till. Redeem them or give them back first.',
  PIN_NOT_SET: 'This branch has no PIN yet. Your merchant sets it.',
  TILL_UNKNOWN: 'This till has no name yet. Press “Next customer” and name it.',
  TILL_REVOKED: 'This till was revoked. Press “Next customer” and enter a code from your manager.',
  TILL_NOT_ENROLLED: 'This till is not enrolled. Press “Next customer” and enter a code from your manager.',
}

function notNowRefusal({ code, message, data }: Refusal): RowWords {
  const wait = data['retry_after_seconds']
  const again = typeof wait === 'number' ? ` Try again in ${waitText(wait)}.` : ''
  return notNowWords(`${NOT_NOW_MESSAGES[code] ?? message}${again}`)
}
