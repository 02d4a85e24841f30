import { LIMITS } from '../../src/contract/limits.ts'
import { pluralize } from '../../src/domain/quantities.ts'
import { formatInstant } from '../../src/domain/singaporeTime.ts'
import { makeUnsentDue, unsentMails } from '../db/mailOutbox.ts'
import { printable } from '../log.ts'
import type { Desk } from './Desk.ts'

const NO_UNSENT_MAILS = 'No mail has failed or was refused.'

/** Prints the mails that failed or were refused and are not given up yet, oldest first. */
export async function listMails({ database, clock, print }: Desk): Promise<void> {
  const mails = await unsentMails(database.db, clock.now(), LIMITS.listRows)
  if (mails.length === 0) return print(NO_UNSENT_MAILS)
  const lines = mails.map(({ createdAt, toAddress, kind, refusedAt, attempts, lastError }) => {
    const state = refusedAt ? `refused ${formatInstant(refusedAt)}` : `waits, ${pluralize(attempts, 'attempt')}`
    return printable(`${formatInstant(createdAt)}  ${toAddress}  ${kind}  ${state}: ${lastError}`)
  })
  print(lines.join('\n'))
}

/** Makes all failed and refused mails due now, or only the mails to one address. */
export async function sendMails(desk: Desk, { email }: { email?: string | undefined }): Promise<void> {
  const due = await makeUnsentDue(desk.database.db, email, desk.clock.now())
  if (due === 0) return desk.print(NO_UNSENT_MAILS)
  desk.wakeMailSender()
  desk.print(`${pluralize(due, 'mail')} will be tried now. "list-mails" shows what fails again.`)
}
