import type { VerifiedVoucher } from '../../contract/voucher.ts'
import { formatCents } from '../../domain/money.ts'
import { formatDay, formatTimeWithSeconds } from '../../domain/singaporeTime.ts'
import type { IconName } from '../../ui/iconPaths.tsx'
import type { CounterState } from './counterState.ts'
import type { Refusal } from './redemption.ts'

/** One verdict: colour, icon, word, sound and what to say, so that none of them carries it alone (DESIGN §7). */
export interface Verdict {
  tone: 'accepted' | 'refused' | 'unknown' | 'checking'
  icon: IconName
  word: string
  say: string
  ticket: {
    state: 'torn' | 'absent' | 'hollow'
    /** The amount, or words where none is known. */
    worth: string
    serial: string
    note?: string
    stub: [string, string] | [string, string, string]
  }
  happened: string
  tell: string
  todo: string
}

type Final = Extract<CounterState, { at: 'redeemed' | 'refused' | 'not-known' }>

export function verdictOf(state: Final): Verdict {
  switch (state.at) {
    case 'redeemed':
      return redeemed(state)
    case 'refused':
      return refused(state)
    case 'not-known':
      return notKnown(state)
  }
}

function redeemed({ receipt }: Extract<Final, { at: 'redeemed' }>): Verdict {
  const worth = formatCents(receipt.denomination_cents)
  const time = formatTimeWithSeconds(new Date(receipt.redeemed_at))
  return {
    tone: 'accepted',
    icon: 'check',
    word: 'Redeemed',
    say: `Take ${worth} off the bill.`,
    ticket: {
      state: 'torn',
      worth,
      serial: receipt.serial,
      note: `Valid until ${formatDay(receipt.expires_on)}`,
      stub: ['Receipt', receipt.receipt_number, time],
    },
    happened: 'The server took this voucher and gave a receipt.',
    tell: `“Your ${worth} voucher is used.”`,
    todo: 'Nothing more.',
  }
}

interface Words {
  word: string
  happened: string
  tell: string
  todo: string
  stub: [string, string]
}

const OTHER_PAYMENT = 'Ask for other payment.'

const REFUSED: Record<Exclude<Refusal, 'unavailable' | 'busy' | 'throttled'>, Words> = {
  used: {
    word: 'Already used',
    happened: 'This voucher was redeemed before. It has no value left.',
    tell: '“This voucher was already used. Please pay another way, or use another voucher.”',
    todo: `${OTHER_PAYMENT} Do not keep the voucher.`,
    stub: ['Used', 'before now'],
  },
  expired: {
    word: 'Expired',
    happened: 'The last day of this voucher is over. It has no value left.',
    tell: '“This voucher has expired. Please pay another way, or use another voucher.”',
    todo: `${OTHER_PAYMENT} Do not keep the voucher.`,
    stub: ['Expired', 'no value left'],
  },
  revoked: {
    word: 'Revoked',
    happened: 'The programme has taken this voucher back. It cannot be redeemed.',
    tell: '“This voucher is no longer valid. Please ask the programme about it.”',
    todo: `${OTHER_PAYMENT} Do not keep the voucher.`,
    stub: ['Revoked', 'no value'],
  },
  unknown: {
    word: 'Unknown voucher',
    happened: 'No voucher of the programme has this serial number.',
    tell: '“We cannot find this voucher. Please pay another way.”',
    todo: `Compare the number with the one under the barcode. If it is the same: ${OTHER_PAYMENT.toLowerCase()}`,
    stub: ['Nothing', 'was taken'],
  },
}

function refused({ refusal, serial, voucher }: Extract<Final, { at: 'refused' }>): Verdict {
  if (refusal === 'unavailable' || refusal === 'busy' || refusal === 'throttled') return unchecked(refusal, serial)
  const { word, happened, tell, todo, stub } = REFUSED[refusal]
  return {
    tone: 'refused',
    icon: 'x',
    word,
    say: 'Take nothing off the bill.',
    ticket: { state: 'absent', worth: worthOf(voucher), serial, ...noteOf(refusal, voucher), stub },
    happened,
    tell,
    todo,
  }
}

const worthOf = (voucher: VerifiedVoucher | undefined) =>
  voucher ? formatCents(voucher.denomination_cents) : 'Unknown'

function noteOf(refusal: Refusal, voucher: VerifiedVoucher | undefined) {
  if (!voucher) return {}
  return { note: refusal === 'expired' ? `Valid until ${formatDay(voucher.expires_on)}` : 'No value left' }
}

function unchecked(refusal: 'unavailable' | 'busy' | 'throttled', serial: string): Verdict {
  return {
    tone: 'unknown',
    icon: 'q',
    word: 'Cannot be checked now',
    say: 'Ask for other payment. The voucher stays valid.',
    ticket: { state: 'hollow', worth: 'Not checked', serial, stub: ['Nothing', 'was taken'] },
    happened:
      refusal === 'throttled'
        ? 'This till asked for too many unknown numbers. It may ask again in a minute. Nothing was taken.'
        : 'There is no connection, so the server could not check it. Nothing was taken.',
    tell: '“We cannot check it now. Please keep it, it stays valid.”',
    todo: 'Ask for other payment, or try again when the line is back.',
  }
}

/** After the confirm tap the server may have taken it, and nobody here knows: the one state that must promise nothing. */
function notKnown({ row }: Extract<Final, { at: 'not-known' }>): Verdict {
  return {
    tone: 'unknown',
    icon: 'q',
    word: 'Not known yet',
    say: 'Take nothing off the bill yet.',
    ticket: {
      state: 'hollow',
      worth: formatCents(row.denomination_cents),
      serial: row.serial,
      stub: ['No answer', 'yet'],
    },
    happened: 'The line dropped while the voucher was being taken. It may or may not be used.',
    tell: '“We do not know yet whether your voucher went through. We find out as soon as the line is back.”',
    todo: 'Ask for other payment, or wait with the customer. This till goes on asking and tells you here what became of it.',
  }
}
