import { v7 as uuidv7 } from 'uuid'
import type { MerchantApplication } from '../../../src/contract/merchants/application.ts'
import { insertAccount } from '../../db/accounts/accounts.ts'
import { findLoginUser, type LoginUser } from '../../db/accounts/loginUsers.ts'
import type { Db } from '../../db/engine/Database.ts'
import { databaseCode, UNIQUE_VIOLATION } from '../../db/engine/databaseError.ts'
import { queueMail } from '../../db/mailOutbox.ts'
import {
  claimApplication,
  findApplication,
  markApplicationProcessed,
  waitingApplications,
} from '../../db/merchants/applications.ts'
import { insertOrganisation, reopenMerchant } from '../../db/merchants/organisations.ts'
import { countFailure, THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import { accountExistsMail, applicationReceivedMail } from '../../mail/merchantMails.ts'
import { sendActivationLink } from '../accounts/invitations.ts'
import { Refusal } from '../Refusal.ts'
import { refuseBeyond } from '../throttles.ts'
import { requestReview } from './reviews.ts'

/**
 * Handles the accepted applications: creates accounts and reviews, and sends mails. Runs after each application, when the server starts, and every
 * minute for applications that a crashed server has left behind. Several runs at once are safe, and a failed application does not hold up the others.
 */
export async function openAccounts(deps: Deps): Promise<void> {
  for (const id of await waitingApplications(deps.database.db)) {
    try {
      await openAccount(deps, id)
    } catch (error) {
      deps.log.error('open_account_failed', { application: id, code: databaseCode(error) })
    }
  }
}

async function openAccount(deps: Deps, id: string): Promise<void> {
  try {
    await processApplication(deps, id)
  } catch (error) {
    // An account with this email was created at the same moment; the second attempt finds it.
    if (databaseCode(error) !== UNIQUE_VIOLATION) throw error
    await processApplication(deps, id)
  }
  deps.wakeMailSender()
}

const processApplication = (deps: Deps, id: string): Promise<void> =>
  deps.database.db.transaction(async (tx: Db) => {
    const application = await claimApplication(tx, id)
    if (!application) return
    const known = await findLoginUser(tx, 'merchant', application.email)
    const isFresh = !known || canApplyAgain(known)
    const organisationId = isFresh ? await openNewAccount(tx, deps, application, known) : null
    if (known && !isFresh) await remindOwner(tx, deps, known)
    await markApplicationProcessed(tx, id, organisationId, deps.clock.now())
  })

/**
 * Mails an applicant again what the application has led to, after the answer, which is the same for known and unknown emails (SGN-01). Throws Refusal
 * NOT_FOUND for an unknown application, TOO_MANY_ATTEMPTS if it was mailed again within LIMITS.resendMinutes.
 */
export async function mailApplicantAgain(deps: Deps, { id }: { id: string }): Promise<void> {
  const { database, clock, background } = deps
  const application = await findApplication(database.db, id)
  if (!application) throw new Refusal('NOT_FOUND')
  await refuseBeyond(database.db, THROTTLES.applicationMail, id, clock.now())
  background.run('open_accounts_failed', async () => {
    await database.db.transaction(async (tx: Db) => {
      const known = await findLoginUser(tx, 'merchant', application.email)
      // Without an account the first mail is still to come, and a rejected applicant was told so.
      if (known && !canApplyAgain(known)) await remindOwner(tx, deps, known)
    })
    deps.wakeMailSender()
  })
}

/** True for a rejected ADHOC applicant. It never had a password, so it may apply again with the same email. */
const canApplyAgain = ({ status, passwordHash }: LoginUser) =>
  status === 'Authorisation Rejected' && passwordHash === null

async function openNewAccount(
  tx: Db,
  deps: Deps,
  application: MerchantApplication,
  known: LoginUser | undefined,
): Promise<string> {
  const { organisationId, userId } = await establishMerchant(tx, application, known, deps.clock.now())
  if (application.role === 'hrp') {
    await sendActivationLink(tx, deps, userId)
    return organisationId
  }
  const snapshot = { application, onboarding: null }
  await requestReview(tx, deps, { organisationId, subject: 'application', snapshot, submittedBy: application.email })
  await queueMail(tx, applicationReceivedMail(deps.settings, application.email, deps.clock.now()), deps.clock.now())
  return organisationId
}

/** Tells the owner of the email about the state of the account, by mail only, and at most three times an hour. */
async function remindOwner(tx: Db, deps: Deps, known: LoginUser): Promise<void> {
  const { id, type, status, loginName, passwordHash } = known
  const now = deps.clock.now()
  const isOverLimit = await countFailure(tx, THROTTLES.accountReminder, id, now)
  if (isOverLimit) return
  const isNew = status === 'Pending' && passwordHash === null
  if (isNew && type === 'HRP Merchant') return sendActivationLink(tx, deps, id)
  const mail = isNew
    ? applicationReceivedMail(deps.settings, loginName, now)
    : accountExistsMail(deps.settings, known, now)
  return queueMail(tx, mail, now)
}

const KINDS = {
  hrp: { type: 'HRP', userType: 'HRP Merchant' },
  adhoc: { type: 'ADHOC', userType: 'ADHOC Merchant' },
} as const

interface NewMerchant {
  organisationId: string
  userId: string
}

/**
 * Creates the organisation of an application and its main account, both Pending and without a password. `rejected` is an earlier account of this
 * email that was rejected. It is used again with the data of the new application.
 */
async function establishMerchant(
  tx: Db,
  { role, email, organisation_name: name, credit_terms_days: creditTermsDays }: MerchantApplication,
  rejected: LoginUser | undefined,
  now: Date,
): Promise<NewMerchant> {
  const { type, userType } = KINDS[role]
  const status = 'Pending'
  if (rejected) {
    await reopenMerchant(tx, rejected, { name, type, status, creditTermsDays }, userType)
    return { organisationId: rejected.organisationId, userId: rejected.id }
  }
  const organisationId = await insertOrganisation(tx, { name, type, status, creditTermsDays })
  const userId = uuidv7()
  await insertAccount(tx, { id: userId, organisationId, type: userType, status, loginName: email, createdAt: now })
  return { organisationId, userId }
}
