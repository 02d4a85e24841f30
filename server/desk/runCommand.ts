import { LIMITS } from '../../src/contract/limits.ts'
import { formatCents } from '../../src/domain/money.ts'
import { formatInstant } from '../../src/domain/singaporeTime.ts'
import { formatSerial } from '../../src/domain/vouchers.ts'
import { lateUploadsOfAll } from '../db/redemptions/lateUploads.ts'
import { ERROR_MESSAGES } from '../http/errorMessages.ts'
import { printable } from '../log.ts'
import { changeEmailByProvider } from '../services/accounts/loginEmail.ts'
import { resetMfa } from '../services/accounts/mfa/enableMfa.ts'
import { Refusal } from '../services/Refusal.ts'
import { DeskError, type Desk } from './Desk.ts'
import { issue } from './issueDesk.ts'
import { listMails, sendMails } from './mailDesk.ts'
import { approve, list, reject, show } from './merchantReviews.ts'
import { pay, payMany } from './paymentDesk.ts'
import type { Command, CommandHandlers } from './readCommand.ts'
import { checkLedger, releaseHold, revoke, skipReceipts } from './voucherDesk.ts'
import { endKey, listKeys, makeKey } from './voucherKeyDesk.ts'

const HANDLERS: CommandHandlers<Desk> = {
  list,
  show,
  approve,
  reject,
  'issue-vouchers': issue,
  revoke,
  'list-keys': listKeys,
  'make-key': makeKey,
  'end-key': endKey,
  'release-hold': releaseHold,
  pay,
  'pay-many': payMany,
  'list-late-uploads': listLateUploads,
  'list-mails': listMails,
  'send-mails': sendMails,
  'check-ledger': checkLedger,
  'skip-receipts': skipReceipts,
  async 'change-email'(desk, { email, to }) {
    await changeEmailByProvider(desk, email, to)
    desk.print(`A link is sent to ${to}. Until the link is followed, the login is still ${email}.`)
  },
  async 'reset-mfa'(desk, { email }) {
    if (!(await resetMfa(desk, email))) throw new DeskError(`${email} has no authenticator app.`)
    desk.print(`The authenticator app of ${email} is removed. Its owner gets an email about it.`)
  },
}

/** Runs one command. Throws DeskError with a line for the person at the desk. */
export async function runCommand(desk: Desk, { command, given }: Command): Promise<void> {
  try {
    await HANDLERS[command](desk, given as never)
  } catch (error) {
    throw error instanceof Refusal ? new DeskError(refusalMessage(error), { cause: error }) : error
  }
}

const refusalMessage = ({ code, fields = [] }: Refusal) =>
  fields.length === 0 ? ERROR_MESSAGES[code] : fields.map(({ path, message }) => `${path} ${message}`).join('; ')

/** Prints the late uploads of all merchants, reviewed or not, newest first. */
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
