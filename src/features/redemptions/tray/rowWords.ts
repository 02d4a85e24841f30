import { asksForLogin, type Connection } from '../../../blocks/connectivity/connectivityTitle.ts'
import { OPEN_WIFI_LOGIN } from '../../../blocks/connectivity/WifiLogin.tsx'
import { LIMITS } from '../../../contract/limits.ts'
import type { ConnectivityVerdict } from '../../../domain/connectivity.ts'
import { formatAsOf } from '../../../domain/singaporeTime.ts'
import type { ScanProblem } from '../../../domain/vouchers.ts'
import { countsAsRedeemed, isUnsent, isVoiding, sumCents, type TillRow } from '../../../offline/store/till.ts'
import { meterText, notAcceptedWords } from '../allowance/notAcceptedWords.ts'
import { refusedWords } from './refusedWords.ts'
import type { TrayRow } from './Tray.ts'
import { notNowWords, type RowWords } from './words.ts'

/** Returns the words of a row. `connection` is the current connection. `isNeeded` is true if the bill needs the voucher. */
export function rowWords(row: TrayRow, connection: Connection, isNeeded: boolean, now = new Date()): RowWords {
  switch (row.is) {
    case 'pin':
    case 'checking':
      return CHECKING
    case 'good':
      return { ...(isNeeded ? GOOD : NOT_NEEDED), cents: sumCents([row.held]) }
    case 'offer':
      return isNeeded
        ? { ...AT_RISK, cents: row.offer.denomination_cents, happened: riskText(row.offer) }
        : { ...NOT_NEEDED, cents: row.offer.denomination_cents }
    case 'known':
      return knownWords(row.taken, now)
    case 'refused':
      return refusedWords(row.refused)
    case 'not accepted':
      return notAcceptedWords(row.result, (code) => refusedWords({ code, message: '', data: {} }), now)
    case 'not checked':
      return notCheckedWords(row.why, connection)
    case 'full':
      return FULL
    case 'unread':
      return { ...UNREAD_MESSAGES[row.why], tone: 'unknown' }
  }
}

const NO_WORDS = { say: '', happened: '', tell: '', todo: '' }

const CHECKING: RowWords = { ...NO_WORDS, tone: 'checking', word: 'Checking…' }
const GOOD: RowWords = { ...NO_WORDS, tone: 'good', word: 'Good' }
const NOT_NEEDED: RowWords = { ...NO_WORDS, tone: 'checking', word: 'Not needed', fact: 'the bill is covered' }
const AT_RISK: RowWords = { ...NO_WORDS, tone: 'risk', word: 'At your shop’s risk', say: 'Nobody has checked it.' }

const riskText = ({ meter }: Extract<TrayRow, { is: 'offer' }>['offer']) =>
  `The server cannot check it now. If it was used elsewhere, your shop is not paid. ${meterText(meter)}.`

type NotChecked = Extract<TrayRow, { is: 'not checked' }>['why']

const TRY_AGAIN = 'Try again, or ask for another way to pay.'

const NOT_CHECKED: Record<Exclude<NotChecked, 'connectivity'>, string> = {
  answered: 'The server could not check it now.',
  unstored: 'This device cannot store a redemption. Free some space or leave the private window.',
  over: 'The ten minutes for this voucher are over, so its hold ended.',
}

/** The words for a check without an answer: what happened, and what to do now. */
const UNANSWERED: Record<ConnectivityVerdict | 'captive', readonly [happened: string, todo: string]> = {
  online: ['The check was not answered.', TRY_AGAIN],
  slow: ['The connection is slow, and the check was not answered.', TRY_AGAIN],
  unreachable: [
    'Our service cannot be reached, so it was not checked.',
    'Ask for another way to pay, or try again. If no website opens either, check the Wi-Fi.',
  ],
  offline: [
    'There is no connection, so it was not checked.',
    'Ask for another way to pay, or try again when the connection is back.',
  ],
  captive: [
    'The shop’s Wi-Fi wants a login, so it was not checked.',
    `Press “${OPEN_WIFI_LOGIN}” above, log in there, then try again.`,
  ],
}

/** Returns the words of a voucher that was not checked. Uses the current connection, which may have come back since. */
const notCheckedWords = (why: NotChecked, connection: Connection): RowWords =>
  why === 'connectivity'
    ? {
        ...notNowWords(...UNANSWERED[asksForLogin(connection) ? 'captive' : connection.verdict]),
        fact: 'no connection',
      }
    : notNowWords(NOT_CHECKED[why], TRY_AGAIN)

/** Returns "redeemed" only if the redemption counts: the server may have refused it, or a void may not be answered yet. */
const takenVerb = (row: TillRow) =>
  row.accepted ? 'accepted' : countsAsRedeemed(row) && !isVoiding(row) ? 'redeemed' : 'took'

/** Returns the words of a voucher that this device took before: when, by which cashier and with which receipt (rule 9.12). */
function knownWords(row: TillRow, now: Date): RowWords {
  const when = formatAsOf(new Date(row.confirmedAt ?? row.askedAt), now)
  const receipt = row.receipt ? `, receipt ${row.receipt.receipt_number}` : isUnsent(row) ? ', its receipt follows' : ''
  return {
    tone: 'refused',
    word: 'Already used',
    say: 'Take nothing more off the bill.',
    fact: when,
    cents: sumCents([row]),
    happened: `This till ${takenVerb(row)} it at ${when}, by ${row.owner_name}${receipt}.`,
    tell: '“This voucher was used here already. Please pay another way, or use another voucher.”',
    todo: 'For the same customer and bill, it has already been taken off. Otherwise ask for another way to pay.',
  }
}

/** Words for a till that already has as many open vouchers as it may hold (rule 9.8). Nothing was sent, and the voucher may be good. */
const FULL: RowWords = {
  ...notNowWords(
    `This till has ${LIMITS.openHolds} vouchers in hand or waiting for the server. It can hold no more.`,
    'Redeem those in the tray, then scan it again. Or ask for another way to pay.',
  ),
  word: 'Too many vouchers waiting',
}

/** Words for a scan that is not a readable voucher. Nothing was sent. */
const UNREAD_MESSAGES: Record<ScanProblem, Omit<RowWords, 'tone'>> = {
  misread: {
    word: 'Could not be read',
    say: 'Scan again or type the number.',
    happened: 'The scanner did not read this code correctly. Nothing was checked or redeemed.',
    tell: '“One moment, please. I will scan it again.”',
    todo: 'Scan it again. If that fails, type the number under the barcode.',
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
    todo: 'Type the number. Set the scanner to send the check digit of EAN-13.',
  },
  layout: {
    word: 'Could not be read',
    say: 'The scanner types in another keyboard language.',
    happened: 'The scanner sent wrong characters. Nothing was checked or redeemed.',
    tell: '“One moment, please. I will type the number.”',
    todo: 'Type the number. Set the scanner to the keyboard language of this device.',
  },
}
