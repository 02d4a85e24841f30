import { ERROR_MESSAGES } from '../http/errorMessages.ts'
import { Refusal } from '../services/Refusal.ts'
import { resetMfa } from '../services/resetMfa.ts'
import { type Desk, DeskError } from './Desk.ts'
import { approve, list, reject, resendReview, show } from './merchantReviews.ts'
import { sendMonthly } from './monthlySummaries.ts'
import type { Command, CommandHandlers } from './readCommand.ts'
import { checkLedger, issue, releaseHold, revoke } from './voucherDesk.ts'

const HANDLERS: CommandHandlers<Desk> = {
  list,
  show,
  approve,
  reject,
  'resend-review': resendReview,
  'issue-vouchers': issue,
  revoke,
  'release-hold': releaseHold,
  'check-ledger': checkLedger,
  'send-monthly': sendMonthly,
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
