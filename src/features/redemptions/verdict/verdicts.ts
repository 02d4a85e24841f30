import * as v from 'valibot'
import { asksForLogin, connectivityTitle, type Connection } from '../../../blocks/connectivity/connectivityTitle.ts'
import { LIMITS } from '../../../contract/limits.ts'
import { REVIEW_REASONS, reviewMessage } from '../../../contract/redemptions/allowance.ts'
import { EndedHold, type HoldEnding } from '../../../contract/redemptions/hold.ts'
import { takenOff, type TakenOff } from '../../../domain/bill.ts'
import { isDown } from '../../../domain/connectivity.ts'
import { formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import {
  formatDay,
  formatDayUnlessToday,
  formatTime,
  formatTimeWithSeconds,
  singaporeDay,
} from '../../../domain/singaporeTime.ts'
import { countsAsRedeemed, isAtRisk, isVoiding, sumCents, type TillRow } from '../../../offline/store/till.ts'
import { valueText } from '../useTillRows.ts'
import type { TicketState } from './Ticket.tsx'
import type { Tone } from './tones.tsx'

/** The verdict on vouchers that were taken. Colour, icon, word and sound all say the same (rule 9.16). */
export interface Verdict {
  tone: Tone
  word: string
  /** The words for a screen reader, if `word` changes with the connection: a screen reader speaks a verdict only once. */
  spoken?: string
  /** The consequence for the bill. */
  say: string
  /** True if `word` says that something is going on, so that no full stop follows. */
  isUnderWay?: true
  /** The value of all vouchers that count. */
  cents: number
  ticket: { state: TicketState; note?: string | undefined; stub: [string, string] | [string, string, string] }
  happened: string
  tell: string
  /** Advice for a paper voucher: a till cannot know if the voucher was on paper. */
  paper?: string
  todo: string
}

/**
 * Returns one verdict on all vouchers of a tray, from what the device knows now about them and the connection. It says what comes
 * off the bill, and has the word of the voucher that needs attention most. `bill` is in cents, undefined if the cashier typed
 * none.
 */
export function trayVerdict(
  first: TillRow,
  others: readonly TillRow[],
  connection: Connection,
  bill: number | undefined,
): Verdict {
  if (others.length === 0) return verdictOf(first, connection, takenOff(bill, sumCents([first])))
  const rows = [first, ...others]
  const counted = rows.filter((row) => countsAsRedeemed(row) && !isVoiding(row))
  // The voucher that needs attention most gives the verdict its tone and word.
  const leading = rows.toSorted((one, other) => rankOf(one) - rankOf(other))[0]!
  const single = verdictOf(leading, connection)
  const worth = sumCents(counted)
  const taken = takenOff(bill, worth)
  const vouchers = pluralize(rows.length, 'voucher')
  const alike = rows.filter((row) => rankOf(row) === rankOf(leading)).length
  const accepted =
    counted.length === 1
      ? `${formatCents(worth)} voucher has`
      : `${pluralize(counted.length, 'voucher')}, ${formatCents(worth)}, have`
  return {
    ...single,
    say: counted.length === 0 ? noneCountsText(rows, single) : billText(taken, counted.length === rows.length),
    cents: worth,
    happened:
      leading.state === 'receipted' && alike === rows.length
        ? `${vouchers} were redeemed, and each has a receipt.`
        : `${alike} of ${vouchers}: ${single.happened}`,
    tell: counted.length === 0 || rankOf(leading) < 2 ? single.tell : acceptedText(accepted, taken),
  }
}

/** Returns what to do with the bill when none of the vouchers counts any more. */
function noneCountsText(rows: readonly TillRow[], { say }: Verdict): string {
  if (rows.some(isVoiding)) return say
  const worth = formatCents(sumCents(rows))
  return rows.every(({ state }) => state === 'voided' || state === 'cancelling' || state === 'gone')
    ? `Put ${worth} back on the bill.`
    : `Do not take ${worth} off the bill.`
}

/** Returns a number that is lower the more the voucher needs attention. */
function rankOf(row: TillRow): number {
  if (isVoiding(row)) return 0
  if (row.state === 'attention' || row.state === 'lost') return 1
  if (isAtRisk(row)) return 2
  if (row.state === 'confirmed') return 3
  return row.state === 'receipted' ? 4 : 5
}

/** Returns the word for one voucher among several: its receipt number, or its verdict. */
export const lineWord = (row: TillRow, connection: Connection): string => {
  const { word } = verdictOf(row, connection)
  return row.state === 'receipted' && !isVoiding(row) ? (row.receipt?.receipt_number ?? word) : word
}

/** Returns the verdict on one voucher. `taken` is what it took off the bill: its whole value, if there is no bill. */
function verdictOf(row: TillRow, connection: Connection, taken = takenOff(undefined, sumCents([row]))): Verdict {
  const cents = sumCents([row])
  if (isVoiding(row)) return { ...voiding(row, connection), cents }
  if (row.state === 'receipted') return { ...receipted(row, taken), cents }
  if (row.state === 'confirmed') return { ...uploading(row, connection, taken), cents }
  if (isAtRisk(row)) return { ...atRisk(row, taken), cents }
  if (row.state === 'attention' || row.state === 'lost') return { ...refused(row, taken), cents }
  return { ...voided(row, taken), cents }
}

type VerdictWithoutCents = Omit<Verdict, 'cents'>

function billText({ off, lost }: TakenOff, isWhole = true): string {
  const take = `Take ${isWhole ? '' : 'only '}${formatCents(off)} off the bill.`
  if (lost === 0) return take
  return `${off === 0 ? 'Nothing was left to pay.' : take} ${noChangeText(lost)}`
}

/** Says that change is never given (rule 9.22). `lost` is in cents. */
export const noChangeText = (lost: number) => `The customer loses ${formatCents(lost)}: no change is given.`

const acceptedText = (accepted: string, { lost }: TakenOff) =>
  `“Your ${accepted} been accepted.${lost === 0 ? '' : ` We cannot give change for ${formatCents(lost)}.`}”`

const oneAccepted = (row: TillRow, taken: TakenOff) => acceptedText(`${valueText(row)} voucher has`, taken)

const validUntil = ({ expires_on }: TillRow) => (expires_on ? `Valid until ${formatDay(expires_on)}` : undefined)

const takenAt = ({ receipt, confirmedAt, askedAt }: TillRow) =>
  formatTimeWithSeconds(new Date(receipt?.redeemed_at ?? confirmedAt ?? askedAt))

const receipted = (row: TillRow, taken: TakenOff): VerdictWithoutCents => ({
  tone: 'redeemed',
  word: 'Redeemed',
  say: billText(taken),
  ticket: { state: 'torn', note: validUntil(row), stub: ['Receipt', row.receipt?.receipt_number ?? '', takenAt(row)] },
  happened: 'The voucher was redeemed and a receipt was issued.',
  tell: oneAccepted(row, taken),
  paper: 'Strike a paper voucher through.',
  todo: ['Carry on with the next customer.', row.receipt && voidableText(row.receipt.recorded_at)]
    .filter(Boolean)
    .join(' '),
})

/** Says until when the redemption can be voided: for five minutes (rule 9.13). */
const voidableText = (recordedAt: string) =>
  `A mistake can be voided until ${formatTime(new Date(Date.parse(recordedAt) + LIMITS.voidMinutes * 60_000))}.`

/** The cashier may hand over the goods: the server keeps the hold of this till for 24 hours. */
const uploading = (row: TillRow, connection: Connection, taken: TakenOff): VerdictWithoutCents => ({
  tone: 'uploading',
  word: isDown(connection.verdict) ? WILL_UPLOAD : 'Redeemed\u00a0– uploading',
  spoken: WILL_UPLOAD,
  say: billText(taken),
  ticket: { state: 'torn-hollow', note: validUntil(row), stub: ['Receipt', 'follows', takenAt(row)] },
  happened: `${unansweredText(row, connection)} The voucher is held for this till only.`,
  tell: oneAccepted(row, taken),
  todo: 'Carry on with the next customer. Keep this device on and get it online within 24 hours. It uploads automatically.',
})

const WILL_UPLOAD = 'Redeemed\u00a0– will upload'

/** Says why the server has not recorded the voucher yet. */
function unansweredText({ lastMessage, pausedForConnection }: TillRow, connection: Connection): string {
  if (asksForLogin(connection)) return 'The shop’s Wi-Fi wants a login.'
  if (isDown(connection.verdict)) return `${connectivityTitle(connection)}.`
  if (pausedForConnection) return 'The answer was lost. It is being fetched.'
  return lastMessage ?? 'The server has not answered yet.'
}

/** The voucher was accepted without a check, and it is not known yet if the shop is paid. */
const atRisk = (row: TillRow, taken: TakenOff): VerdictWithoutCents => ({
  tone: 'risk',
  word: 'Accepted at your shop’s risk',
  say: billText(taken),
  ticket: { state: 'torn-unsure', note: validUntil(row), stub: ['Not', 'checked', takenAt(row)] },
  happened: 'Its signature is good. Nobody could check whether it was used elsewhere.',
  tell: oneAccepted(row, taken),
  todo: 'Carry on with the next customer. Keep this device on.',
})

/** The server refused the upload, or the accepted voucher had been used or revoked before. */
const refused = (row: TillRow, { off }: TakenOff): VerdictWithoutCents => ({
  tone: 'refused',
  word: row.state === 'lost' ? lossText(row) : 'Refused after upload',
  say: `Do not take ${formatCents(off)} off the bill.`,
  ticket: {
    state: 'absent',
    note: row.state === 'lost' ? 'Your shop is not paid' : 'Nothing was redeemed',
    stub: ['No', 'receipt'],
  },
  happened: refusalMessage(row),
  tell:
    row.state === 'lost'
      ? '“This voucher had no value left. Please pay another way.”'
      : '“The programme did not accept this voucher. Please pay another way.”',
  todo: 'If the customer has gone, tell your branch manager. It stays in My day until marked as seen.',
})

/** The server may have voided the redemption already, and only its answer was lost. */
const voiding = (row: TillRow, connection: Connection): VerdictWithoutCents => ({
  tone: 'checking',
  word: 'Voiding…',
  isUnderWay: true,
  say: 'Wait before you change the bill.',
  ticket: { state: 'torn-hollow', stub: ['Void', 'not answered yet'] },
  happened: `${unansweredText(row, connection)} This device keeps asking.`,
  tell: '“One moment, please.”',
  todo: 'Keep the goods until this screen says Voided or Redeemed. My day shows it, too.',
})

const voided = (row: TillRow, { off }: TakenOff): VerdictWithoutCents => ({
  tone: 'voided',
  word: 'Voided',
  say: `Put ${formatCents(off)} back on the bill.`,
  ticket: { state: 'hollow', stub: ['Voided', 'not used'] },
  happened: 'This redemption was voided. The voucher can be used again.',
  tell: `“Your ${valueText(row)} voucher is not used. Please keep it.”`,
  todo: 'Ask for another way to pay, or check the voucher again.',
})

/** Says how an accepted voucher was lost: "Lost: used elsewhere at 12:04", or "… on 20 Nov 2026, 12:04". */
export function lossText({ lost }: Pick<TillRow, 'lost'>, now = new Date()): string {
  const what = lost?.reason === 'revoked' ? 'Lost: revoked' : 'Lost: used elsewhere'
  if (!lost?.at) return what
  const at = new Date(lost.at)
  const isToday = singaporeDay(at) === singaporeDay(now)
  return `${what} ${isToday ? 'at' : 'on'} ${formatDayUnlessToday(at, now)}`
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

/** Says why the voucher was lost or its upload refused, for the manager who deals with it. */
export function refusalMessage({ refused, lost }: Pick<TillRow, 'refused' | 'lost'>): string {
  if (lost?.reason === 'revoked') return 'The programme had revoked it. Your shop is not paid for it.'
  if (lost) return 'It was used elsewhere first. Your shop is not paid for it.'
  const ended = v.safeParse(EndedHold, refused?.data)
  if (refused?.code === 'HOLD_ENDED' && ended.success) return ENDING_MESSAGES[ended.output.by]
  // A newer server may send reasons that this build does not know.
  const reason = refused?.code === 'REVIEW' && REVIEW_REASONS.find((one) => one === refused.message)
  if (reason) return `${reviewMessage(reason)} Your manager finds it under Losses.`
  return refused && refused.code !== 'REVIEW' ? refused.message : 'The server did not accept it.'
}
