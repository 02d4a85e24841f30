import * as v from 'valibot'
import { EndedHold, type HoldEnding } from '../../../contract/redemptions/hold.ts'
import type { Receipt } from '../../../contract/redemptions/redeem.ts'
import { formatCents } from '../../../domain/money.ts'
import { formatDay, formatTimeWithSeconds } from '../../../domain/singaporeTime.ts'
import type { TillRow } from '../../../offline/store/till.ts'
import { worthOf } from '../useTillRows.ts'
import type { Verdict } from './Verdict.ts'

/** The verdict on a redeemed voucher, by what the device knows of it now. */
export function redemptionVerdict(row: TillRow): Verdict {
  if (row.state === 'receipted' && row.receipt) return receiptedVerdict(row.receipt)
  if (row.state === 'attention') return refusedAfterUploadVerdict(row)
  if (row.state === 'confirmed') return uploadingVerdict(row)
  return voidedVerdict(row)
}

function receiptedVerdict(receipt: Receipt): Verdict {
  const worth = formatCents(receipt.denomination_cents)
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
      stub: ['Receipt', receipt.receipt_number, formatTimeWithSeconds(new Date(receipt.redeemed_at))],
    },
    happened: 'The server took this voucher and gave a receipt.',
    tell: `“Your ${worth} voucher is used.”`,
    todo: 'Nothing more.',
  }
}

/** The cashier may hand over the goods: the server holds the voucher for this till, for 24 hours. */
function uploadingVerdict(row: TillRow): Verdict {
  const worth = worthOf(row)
  return {
    tone: 'held',
    icon: 'up',
    word: 'Redeemed\u00a0– uploading',
    say: `Take ${worth} off the bill.`,
    ticket: {
      state: 'torn-hollow',
      worth,
      serial: row.serial,
      ...(row.expires_on ? { note: `Valid until ${formatDay(row.expires_on)}` } : {}),
      stub: ['Receipt', 'follows', formatTimeWithSeconds(new Date(row.confirmedAt ?? row.askedAt))],
    },
    happened: `${row.heard ?? 'The line dropped after the check.'} The voucher is held for this till alone.`,
    tell: `“Your ${worth} voucher is used.”`,
    todo: 'Go on serving. Keep this device on and get it online within 24 hours; it goes on trying by itself.',
  }
}

function refusedAfterUploadVerdict(row: TillRow): Verdict {
  const worth = worthOf(row)
  return {
    tone: 'refused',
    icon: 'x',
    word: 'Refused after upload',
    say: `Do not take ${worth} off the bill.`,
    ticket: { state: 'absent', worth, serial: row.serial, note: 'Nothing was taken', stub: ['No', 'receipt'] },
    happened: refusalMessage(row),
    tell: '“The programme did not accept this voucher. Please pay another way.”',
    todo: 'If the customer has gone, hand this to your branch: it stays in My day until somebody has seen it.',
  }
}

function voidedVerdict(row: TillRow): Verdict {
  const worth = worthOf(row)
  return {
    tone: 'unknown',
    icon: 'back',
    word: 'Voided',
    say: `Put ${worth} back on the bill.`,
    ticket: { state: 'hollow', worth, serial: row.serial, stub: ['Voided', 'not used'] },
    happened: 'This redemption was taken back. The voucher can be used again.',
    tell: `“Your ${worth} voucher is not used. Please keep it.”`,
    todo: 'Ask for other payment, or check the voucher again.',
  }
}

const ENDING_MESSAGES: Record<HoldEnding, string> = {
  cancelled: 'This till gave the voucher back before the upload arrived.',
  'released by merchant': 'Your merchant released its hold before the upload arrived.',
  'released by provider': 'The programme released its hold before the upload arrived.',
  deactivated: 'This till or its branch was deactivated before the upload arrived.',
  'taken over': 'Another till redeemed it first, after its hold had run out.',
  redeemed: 'It was redeemed under this hold before.',
  voided: 'Its redemption was taken back.',
}

/** Why the server refused the upload, for whoever has to put it right. */
export function refusalMessage({ refused }: Pick<TillRow, 'refused'>): string {
  const ended = v.safeParse(EndedHold, refused?.data)
  if (refused?.code === 'HOLD_ENDED' && ended.success) return ENDING_MESSAGES[ended.output.by]
  return refused?.message ?? 'The server did not accept it.'
}
