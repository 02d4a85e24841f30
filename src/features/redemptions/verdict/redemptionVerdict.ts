import * as v from 'valibot'
import { asksForLogin, connectivityTitle, type Connection } from '../../../blocks/connectivity/connectivityTitle.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { EndedHold, type HoldEnding } from '../../../contract/redemptions/hold.ts'
import type { Receipt } from '../../../contract/redemptions/redeem.ts'
import { takenOff, type TakenOff } from '../../../domain/bill.ts'
import { isDown } from '../../../domain/connectivity.ts'
import { formatCents } from '../../../domain/money.ts'
import { formatDay, formatTime, formatTimeWithSeconds } from '../../../domain/singaporeTime.ts'
import { isAtRisk, isVoiding, type TillRow } from '../../../offline/store/till.ts'
import { worthOf } from '../useTillRows.ts'
import { atRiskVerdict, lostVerdict, reviewReason } from './atRiskVerdicts.ts'
import type { Verdict } from './Verdict.ts'

/**
 * The verdict on a redeemed voucher, by what the device knows of it and of the connection now. `taken`: what it took off the bill, all of
 * it if there is none.
 */
export function redemptionVerdict(
  row: TillRow,
  connection: Connection,
  taken = takenOff(undefined, row.denomination_cents ?? 0),
): Verdict {
  return { ...verdictOf(row, connection, taken), cents: row.denomination_cents ?? 0 }
}

type OfRow = Omit<Verdict, 'cents'>

function verdictOf(row: TillRow, connection: Connection, taken: TakenOff): OfRow {
  if (isVoiding(row)) return voidingVerdict(row, connection)
  if (row.state === 'receipted' && row.receipt) return receiptedVerdict(row.receipt, taken)
  if (row.state === 'attention') return refusedAfterUploadVerdict(row, taken)
  if (row.state === 'confirmed') return uploadingVerdict(row, connection, taken)
  if (isAtRisk(row)) return atRiskVerdict(row, afterTheTap(taken), acceptedText(worthOf(row), taken))
  if (row.state === 'lost') return lostVerdict(row, taken)
  return voidedVerdict(row, taken)
}

function afterTheTap({ off, lost }: TakenOff): string {
  if (lost === 0) return `Take ${formatCents(off)} off the bill.`
  if (off === 0) return `Nothing was left to pay. ${lostText(lost)}`
  return `Take ${formatCents(off)} off the bill. ${lostText(lost)}`
}

/** No change is given (rule 9.22). */
export const lostText = (lost: number) => `The customer loses ${formatCents(lost)}: no change is given.`

const acceptedText = (worth: string, { lost }: TakenOff) =>
  lost === 0
    ? `“Your ${worth} voucher has been accepted.”`
    : `“Your ${worth} voucher has been accepted. We cannot give change for ${formatCents(lost)}.”`

function receiptedVerdict(receipt: Receipt, taken: TakenOff): OfRow {
  const worth = formatCents(receipt.denomination_cents)
  return {
    tone: 'accepted',
    word: 'Redeemed',
    say: afterTheTap(taken),
    ticket: {
      state: 'torn',
      worth,
      serial: receipt.serial,
      note: `Valid until ${formatDay(receipt.expires_on)}`,
      stub: ['Receipt', receipt.receipt_number, formatTimeWithSeconds(new Date(receipt.redeemed_at))],
    },
    happened: 'The voucher was redeemed and a receipt was issued.',
    tell: acceptedText(worth, taken),
    paper: 'Strike a paper voucher through.',
    todo: [NEXT_CUSTOMER, receipt.recorded_at && voidableText(receipt.recorded_at)].filter(Boolean).join(' '),
  }
}

const NEXT_CUSTOMER = 'Carry on with the next customer.'

/** Rule 9.13. */
const voidableText = (recordedAt: string) =>
  `A mistake can be voided until ${formatTime(new Date(Date.parse(recordedAt) + LIMITS.voidMinutes * 60_000))}.`

/** The cashier may hand over the goods: the server holds the voucher for this till, for 24 hours. */
function uploadingVerdict(row: TillRow, connection: Connection, taken: TakenOff): OfRow {
  const worth = worthOf(row)
  return {
    tone: 'held',
    word: isDown(connection.verdict) ? WILL_UPLOAD : 'Redeemed\u00a0– uploading',
    spoken: WILL_UPLOAD,
    say: afterTheTap(taken),
    ticket: {
      state: 'torn-hollow',
      worth,
      serial: row.serial,
      ...(row.expires_on ? { note: `Valid until ${formatDay(row.expires_on)}` } : {}),
      stub: ['Receipt', 'follows', formatTimeWithSeconds(new Date(row.confirmedAt ?? row.askedAt))],
    },
    happened: `${unansweredText(row, connection)} The voucher is held for this till only.`,
    tell: acceptedText(worth, taken),
    todo: 'Carry on with the next customer. Keep this device on and get it online within 24 hours. It uploads automatically.',
  }
}

const WILL_UPLOAD = 'Redeemed\u00a0– will upload'

/** Why the server has not written it down yet. What an attempt heard says nothing where no server of ours answered it. */
function unansweredText({ heard, restsForLine }: TillRow, connection: Connection): string {
  if (asksForLogin(connection)) return 'The shop’s Wi-Fi wants a login.'
  if (isDown(connection.verdict)) return `${connectivityTitle(connection)}.`
  if (restsForLine) return 'The answer was lost. It is being fetched.'
  return heard ?? 'The server has not answered yet.'
}

function refusedAfterUploadVerdict(row: TillRow, { off }: TakenOff): OfRow {
  const worth = worthOf(row)
  return {
    tone: 'refused',
    word: 'Refused after upload',
    say: `Do not take ${formatCents(off)} off the bill.`,
    ticket: { state: 'absent', worth, serial: row.serial, note: 'Nothing was redeemed', stub: ['No', 'receipt'] },
    happened: refusalMessage(row),
    tell: '“The programme did not accept this voucher. Please pay another way.”',
    todo: 'If the customer has gone, tell your branch manager. It stays in My day until marked as seen.',
  }
}

/** The void may be done already, and only its answer lost. */
function voidingVerdict(row: TillRow, connection: Connection): OfRow {
  const worth = worthOf(row)
  return {
    tone: 'checking',
    word: 'Voiding…',
    say: 'Wait before you change the bill.',
    ticket: { state: 'torn-hollow', worth, serial: row.serial, stub: ['Void', 'not answered yet'] },
    happened: `${unansweredText(row, connection)} This device keeps asking.`,
    tell: '“One moment, please.”',
    todo: 'Keep the goods until this screen says Voided or Redeemed. My day shows it, too.',
  }
}

function voidedVerdict(row: TillRow, { off }: TakenOff): OfRow {
  const worth = worthOf(row)
  return {
    tone: 'voided',
    word: 'Voided',
    say: `Put ${formatCents(off)} back on the bill.`,
    ticket: { state: 'hollow', worth, serial: row.serial, stub: ['Voided', 'not used'] },
    happened: 'This redemption was voided. The voucher can be used again.',
    tell: `“Your ${worth} voucher is not used. Please keep it.”`,
    todo: 'Ask for other payment, or check the voucher again.',
  }
}

const ENDING_MESSAGES: Record<HoldEnding, string> = {
  cancelled: 'The till cancelled its hold before the upload arrived.',
  'released by merchant': 'Your merchant released its hold before the upload arrived.',
  'released by provider': 'The programme released its hold before the upload arrived.',
  deactivated: 'The till or its branch was deactivated before the upload arrived.',
  'taken over': 'Another till redeemed it first, after its hold had run out.',
  redeemed: 'It was redeemed under this hold before.',
  voided: 'Its redemption was voided.',
}

/** Why the server refused the upload, for whoever has to put it right. */
export function refusalMessage({ refused }: Pick<TillRow, 'refused'>): string {
  const ended = v.safeParse(EndedHold, refused?.data)
  if (refused?.code === 'HOLD_ENDED' && ended.success) return ENDING_MESSAGES[ended.output.by]
  return reviewReason(refused) ?? refused?.message ?? 'The server did not accept it.'
}
