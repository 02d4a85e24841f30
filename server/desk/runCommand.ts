import { LIMITS } from '../../src/contract/limits.ts'
import { formatCents } from '../../src/domain/money.ts'
import { lastClosedMonth, monthClosesAt } from '../../src/domain/months.ts'
import { formatDuration, pluralize } from '../../src/domain/quantities.ts'
import { formatInstant, formatMonth, singaporeDay } from '../../src/domain/singaporeTime.ts'
import { formatSerial } from '../../src/domain/vouchers.ts'
import { waitingTillsOfAll } from '../db/devices.ts'
import { lateUploadsOfAll } from '../db/redemptions/lateUploads.ts'
import { summarySubscriptions, type SummarySubscription } from '../db/reports/monthlySummaries.ts'
import { ERROR_MESSAGES } from '../http/errorMessages.ts'
import { changeEmailByProvider } from '../services/accounts/loginEmail.ts'
import { resetMfa } from '../services/accounts/mfa/enableMfa.ts'
import { openQueues } from '../services/queues.ts'
import { Refusal } from '../services/Refusal.ts'
import { sendMonthlySummary, type SummaryOutcome } from '../services/reports/monthlySummary.ts'
import { DeskError, printable, type Desk } from './Desk.ts'
import { issue } from './issueDesk.ts'
import { approve, list, reject, resendReview, show } from './merchantReviews.ts'
import type { Command, CommandHandlers } from './readCommand.ts'
import { checkLedger, releaseHold, revoke, skipReceipts } from './voucherDesk.ts'
import { endKey, listKeys, makeKey, rotateKey } from './voucherKeyDesk.ts'

const HANDLERS: CommandHandlers<Desk> = {
  list,
  show,
  approve,
  reject,
  'resend-review': resendReview,
  'issue-vouchers': issue,
  revoke,
  'list-keys': listKeys,
  'make-key': makeKey,
  'rotate-key': rotateKey,
  'end-key': endKey,
  'release-hold': releaseHold,
  devices: listWaitingTills,
  'list-late-uploads': listLateUploads,
  'check-ledger': checkLedger,
  'skip-receipts': skipReceipts,
  'send-monthly': sendMonthly,
  async 'change-email'(desk, { email, to }) {
    await changeEmailByProvider(desk, email, to)
    desk.print(`A link is sent to ${to}. Whoever logs in as ${email} does so until it is followed.`)
  },
  async 'reset-mfa'(desk, { email }) {
    if (!(await resetMfa(desk, email))) throw new DeskError(`${email} has no authenticator app.`)
    desk.print(`The authenticator app of ${email} is removed. Its owner gets an email about it.`)
  },
}

/** Does one command. Throws DeskError with a line for the person at the desk. */
export async function runCommand(desk: Desk, { command, given }: Command): Promise<void> {
  try {
    await HANDLERS[command](desk, given as never)
  } catch (error) {
    throw error instanceof Refusal ? new DeskError(refusalMessage(error), { cause: error }) : error
  }
}

const refusalMessage = ({ code, fields = [] }: Refusal) =>
  [ERROR_MESSAGES[code], ...fields.map(({ path, message }) => `${path} ${message}`)].join(' ')

/** Every till with vouchers that are not uploaded, whoever's it is; the one that was silent longest first. */
async function listWaitingTills({ database, print, clock }: Desk): Promise<void> {
  const found = await waitingTillsOfAll(database.db)
  if (found.length === 0) return print('No till has said that vouchers wait on it.')
  const lines = found.map(({ merchantId, merchantName, branchName, name, heardAt, count, cents }) => {
    const place = [merchantName, branchName, name].map(printable).join(', ')
    const silence = `seen ${formatDuration(clock.now().getTime() - heardAt.getTime())} ago, ${formatInstant(heardAt)}`
    return `${merchantId}  ${place}: ${pluralize(count, 'voucher')}, ${formatCents(cents)}, ${silence}`
  })
  print(lines.join('\n'))
}

/** Late uploads of all merchants, reviewed by their merchant or not, the newest first. */
async function listLateUploads({ database, print, clock }: Desk): Promise<void> {
  const since = new Date(clock.now().getTime() - LIMITS.noticeDays * 86_400_000)
  const found = await lateUploadsOfAll(database.db, since, LIMITS.listRows)
  if (found.length === 0) return print(`There are no late uploads from the last ${LIMITS.noticeDays} days.`)
  const lines = found.map((late) => {
    const place = [late.merchantName, late.branchName, late.tillName].join(', ')
    const how = late.settledBy
      ? `settled by hand by ${late.settledBy}: "${late.reason}"`
      : 'uploaded after its till was revoked'
    const review = late.reviewedAt
      ? `reviewed ${formatInstant(late.reviewedAt)}, by ${late.reviewedBy}`
      : 'not reviewed'
    const what = `${formatSerial(late.serial)}, ${formatCents(late.cents)}`
    return printable(`${late.merchantId}  ${formatInstant(late.recordedAt)}  ${place}: ${what}, ${how}, ${review}`)
  })
  print(lines.join('\n'))
}

interface SummaryOrder {
  /** `2026-10` */
  month: string
  /** To those as well who have got it. */
  again: boolean
}

/** Sends the summary of a month by hand. Throws DeskError for a month that is not closed (rule 10.7). */
async function sendMonthly(desk: Desk, { month, again }: SummaryOrder): Promise<void> {
  const [now, name] = [desk.clock.now(), formatMonth(month)]
  if (month >= singaporeDay(now).slice(0, 7)) throw new DeskError(`${name} is not over yet.`)
  if (month > lastClosedMonth(now)) {
    const closes = formatInstant(monthClosesAt(month))
    throw new DeskError(`${name} is not closed before ${closes}: until then tills may upload what they redeemed.`)
  }
  const lines: string[] = []
  const queues = openQueues()
  let notWanted = 0
  for (const wish of await summarySubscriptions(desk.database.db, month)) {
    const outcome = await sendMonthlySummary({ ...desk, queues }, wish, month, again ? 'again' : 'unsent')
    if (outcome.is === 'not wanted') notWanted += 1
    else lines.push(`${wish.merchantId}  ${printable(wish.name)}: ${outcomeLine(outcome, wish)}`)
  }
  const rest = `${notWanted} ${notWanted === 1 ? 'merchant does' : 'merchants do'} not want the summary.`
  desk.print([`Monthly summary, ${formatMonth(month)}`, ...lines, rest].join('\n'))
}

function outcomeLine(outcome: Exclude<SummaryOutcome, { is: 'not wanted' }>, { to }: SummarySubscription): string {
  if (outcome.is === 'taken') return 'was sent already; --again sends it once more'
  const { count, cents } = outcome.total
  return `sent to ${to.join(', ')} (vouchers: ${count}, total: ${formatCents(cents)})`
}
