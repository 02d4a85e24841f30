import { REVIEW_REASONS, reviewMessage } from '../../../contract/redemptions/allowance.ts'
import type { TakenOff } from '../../../domain/bill.ts'
import { formatCents } from '../../../domain/money.ts'
import { formatDay, formatDayUnlessToday, formatTimeWithSeconds, singaporeDay } from '../../../domain/singaporeTime.ts'
import type { Refusal, TillRow } from '../../../offline/store/till.ts'
import { worthOf } from '../useTillRows.ts'
import type { Verdict } from './Verdict.ts'

/** Accepted without a check: amber, for nobody knows yet whether the shop is paid. */
export function atRiskVerdict(row: TillRow, say: string, tell: string): Omit<Verdict, 'cents'> {
  return {
    tone: 'risk',
    word: 'Accepted at your shop’s risk',
    say,
    ticket: {
      state: 'torn-unsure',
      worth: worthOf(row),
      serial: row.serial,
      ...(row.expires_on ? { note: `Valid until ${formatDay(row.expires_on)}` } : {}),
      stub: ['Not', 'checked', formatTimeWithSeconds(new Date(row.confirmedAt ?? row.askedAt))],
    },
    happened: 'Its signature is good. Nobody could check whether it was used elsewhere.',
    tell,
    todo: 'Carry on with the next customer. Keep this device on.',
  }
}

/** Somebody else was first, or the programme had taken it back: "Lost: used elsewhere at 12:04", "… on 20 Nov 2026, 12:04". */
export function lossText({ lost }: Pick<TillRow, 'lost'>, now = new Date()): string {
  const what = lost?.reason === 'revoked' ? 'Lost: revoked' : 'Lost: used elsewhere'
  if (!lost?.at) return what
  const at = new Date(lost.at)
  const isToday = singaporeDay(at) === singaporeDay(now)
  return `${what} ${isToday ? 'at' : 'on'} ${formatDayUnlessToday(at, now)}`
}

export function lostVerdict(row: TillRow, { off }: TakenOff): Omit<Verdict, 'cents'> {
  const worth = worthOf(row)
  return {
    tone: 'refused',
    word: lossText(row),
    say: `Do not take ${formatCents(off)} off the bill.`,
    ticket: { state: 'absent', worth, serial: row.serial, note: 'Your shop is not paid', stub: ['No', 'receipt'] },
    happened: lossReason(row),
    tell: '“This voucher had no value left. Please pay another way.”',
    todo: 'If the customer has gone, tell your branch manager. It stays in My day until marked as seen.',
  }
}

export const lossReason = ({ lost }: Pick<TillRow, 'lost'>): string =>
  lost?.reason === 'revoked'
    ? 'The programme had revoked it. Your shop is not paid for it.'
    : 'It was used elsewhere first. Your shop is not paid for it.'

/** Why the server left it to a person; undefined for any other refusal. */
export function reviewReason(refused: Refusal | undefined): string | undefined {
  if (refused?.code !== 'REVIEW') return undefined
  // A later release may have reasons that this one does not know.
  const reason = REVIEW_REASONS.find((one) => one === refused.message)
  return `${reason ? reviewMessage(reason, 'this till') : 'The server did not accept it.'} Your manager reviews it.`
}
