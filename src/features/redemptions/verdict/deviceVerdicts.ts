import { asksForLogin, type Connection } from '../../../blocks/connectivity/connectivityTitle.ts'
import { OPEN_WIFI_LOGIN } from '../../../blocks/connectivity/WifiLogin.tsx'
import { LIMITS } from '../../../contract/limits.ts'
import type { ConnectivityVerdict } from '../../../domain/connectivity.ts'
import { formatAsOf } from '../../../domain/singaporeTime.ts'
import { VOUCHERS_PER_BILL, type ScanProblem } from '../../../domain/vouchers.ts'
import { isAtRisk, type TillRow } from '../../../offline/store/till.ts'
import { ICONS } from '../../../ui/icons.tsx'
import type { CounterLimit, CounterState } from '../counterState.ts'
import { worthOf } from '../useTillRows.ts'
import type { Verdict } from './Verdict.ts'

type NotChecked = Extract<CounterState, { at: 'not-checked' }>

type Advice = Pick<Verdict, 'happened' | 'todo'>

const AGAIN = 'Try again, or ask for other payment.'

const NOT_CHECKED: Record<Exclude<NotChecked['why'], 'connectivity'>, string> = {
  answered: 'The server could not check it now. Nothing was redeemed.',
  unstored: 'This device cannot store a redemption. Free some space or leave the private window. Nothing was redeemed.',
  over: 'The ten minutes for this voucher are over, so its hold ended. Nothing was redeemed.',
}

/** As the connection is now: it may have come back since. */
const UNANSWERED: Record<ConnectivityVerdict | 'captive', Advice> = {
  online: { happened: 'The check was not answered. Nothing was redeemed.', todo: AGAIN },
  slow: { happened: 'The connection is slow, and the check was not answered. Nothing was redeemed.', todo: AGAIN },
  unreachable: {
    happened: 'Our service cannot be reached, so it was not checked. Nothing was redeemed.',
    todo: 'Ask for other payment, or try again. If no website opens either, check the Wi-Fi.',
  },
  offline: {
    happened: 'There is no connection, so it was not checked. Nothing was redeemed.',
    todo: 'Ask for other payment, or try again when the connection is back.',
  },
  captive: {
    happened: 'The shop’s Wi-Fi wants a login, so it was not checked. Nothing was redeemed.',
    todo: `Press “${OPEN_WIFI_LOGIN}” above, log in there, then try again.`,
  },
}

const adviceOf = (why: NotChecked['why'], connection: Connection): Advice =>
  why === 'connectivity'
    ? UNANSWERED[asksForLogin(connection) ? 'captive' : connection.verdict]
    : { happened: NOT_CHECKED[why], todo: AGAIN }

export const notCheckedVerdict = ({ serial, why }: NotChecked, connection: Connection): Verdict => ({
  tone: 'unknown',
  icon: ICONS.q,
  word: 'Cannot be checked now',
  say: 'Ask for other payment. The voucher stays valid.',
  ticket: { state: 'hollow', worth: 'Not checked', serial, stub: ['Not', 'redeemed'] },
  tell: '“We cannot check it now. Please keep it, it stays valid.”',
  ...adviceOf(why, connection),
})

/** The second scan of a voucher that this device redeemed: says when, by whom and with which receipt (rule 9.12). */
export function alreadyRedeemedVerdict(row: TillRow, now: Date): Verdict {
  const when = formatAsOf(new Date(row.confirmedAt ?? row.askedAt), now)
  const receipt = row.receipt ? `receipt ${row.receipt.receipt_number}` : 'its receipt follows'
  return {
    tone: 'refused',
    icon: ICONS.x,
    word: 'Already used',
    say: 'Take nothing more off the bill.',
    ticket: {
      state: 'absent',
      worth: worthOf(row),
      serial: row.serial,
      note: 'No value left',
      stub: ['Used', when],
    },
    happened: `This till ${isAtRisk(row) ? 'accepted' : 'redeemed'} it at ${when}, by ${row.owner_name}, ${receipt}.`,
    tell: '“This voucher was used here already. Please pay another way, or use another voucher.”',
    todo: 'If it is the same customer and the same bill, it is off already. Otherwise ask for other payment.',
  }
}

type LimitMessages = Pick<Verdict, 'word' | 'happened' | 'tell' | 'todo'>

const LIMIT_MESSAGES: Record<CounterLimit, LimitMessages> = {
  bill: {
    word: 'This bill is full',
    happened: `This bill already has the maximum of ${VOUCHERS_PER_BILL} vouchers. This voucher was not checked.`,
    tell: '“One bill takes no more vouchers. Please keep this one, it stays valid.”',
    todo: 'Collect the rest another way, then press Finish bill.',
  },
  holds: {
    word: 'Too many vouchers waiting',
    happened: `${LIMITS.openHolds} vouchers of this till wait for the server. It can hold no more.`,
    tell: '“We cannot check it now. Please keep it, it stays valid.”',
    todo: 'Ask for other payment, or try again when they are uploaded.',
  },
}

/** A limit is reached, and nothing was sent: nothing is wrong with the voucher. */
export const fullVerdict = ({ full, serial }: Extract<CounterState, { at: 'full' }>): Verdict => ({
  ...LIMIT_MESSAGES[full],
  tone: 'unknown',
  icon: ICONS.q,
  say: 'Nothing was redeemed. The voucher stays valid.',
  ticket: { state: 'hollow', worth: 'Not checked', serial, stub: ['Not', 'redeemed'] },
})

type UnreadMessages = Pick<Verdict, 'word' | 'say' | 'happened' | 'tell' | 'todo'>

const UNREAD_MESSAGES: Record<ScanProblem, UnreadMessages> = {
  misread: {
    word: 'Could not be read',
    say: 'Scan again or type the number.',
    happened: 'The scanner did not read this code correctly. Nothing was checked or redeemed.',
    tell: '“One moment, please. I will scan it again.”',
    todo: 'Scan it again. If that fails, press Next voucher and type the number under the barcode.',
  },
  product: {
    word: 'Not a voucher of this programme',
    say: 'Scan the code on the voucher.',
    happened: 'It is the code of something else. Nothing was checked or redeemed.',
    tell: '“One moment, please. I scanned the wrong code.”',
    todo: 'Scan the barcode or the QR code on the voucher.',
  },
  truncated: {
    word: 'Could not be read',
    say: 'Type the number under the barcode.',
    happened: 'The scanner left out the last digit, the check digit. Nothing was checked or redeemed.',
    tell: '“One moment, please. I will type the number.”',
    todo: 'Press Next voucher and type the number. Set the scanner to send the check digit of EAN-13.',
  },
  layout: {
    word: 'Could not be read',
    say: 'The scanner types in another keyboard language.',
    happened: 'Other signs arrived than the code has. Nothing was checked or redeemed.',
    tell: '“One moment, please. I will type the number.”',
    todo: 'Press Next voucher and type the number. Set the scanner to the keyboard language of this device.',
  },
}

/** Nothing is known of any voucher, and nothing was sent. A misread QR code may be longer than a ticket. */
export const unreadVerdict = ({ why, scanned }: Extract<CounterState, { at: 'unread' }>): Verdict => ({
  ...UNREAD_MESSAGES[why],
  tone: 'unknown',
  icon: ICONS.q,
  ticket: {
    state: 'hollow',
    worth: 'Not checked',
    serial: /^\d{1,13}$/.test(scanned) ? scanned : '',
    stub: ['Not', 'redeemed'],
  },
})
