import { isMainAccount } from '../../../src/domain/accounts/permissions.ts'
import { revokeAccountAccess, takenLoginNames, updateAccount } from '../../db/accounts/accounts.ts'
import { findLoginUser, findOwnUser, findUser, lockUser, type LoginUser } from '../../db/accounts/loginUsers.ts'
import { findMfa } from '../../db/accounts/mfa.ts'
import { consumeLink, findEmailLink, insertLink } from '../../db/accounts/passwords.ts'
import { noteActivity, type ActivityActor } from '../../db/activity/activity.ts'
import { lockBranch, updateBranchRow } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import { queueMails } from '../../db/mailOutbox.ts'
import { THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import { emailChangeAskedMail, emailChangedMail, emailChangeMail } from '../../mail/securityMails.ts'
import { activityTarget, personOf } from '../activity/activity.ts'
import { hashToken, newToken } from '../opaqueToken.ts'
import { refuseTaken, takenRefusal, UNIQUE_EMAIL } from '../recordConflicts.ts'
import { Refusal } from '../Refusal.ts'
import { refuseBeyond } from '../throttles.ts'
import { isInactive } from './login/nextLoginStep.ts'
import { commitThenThrow, mfaCodeRefusal } from './mfa/mfaCodes.ts'
import { checkOwnPassword, wrongPassword } from './passwords/checkOwnPassword.ts'
import type { Actor, Caller } from './sessions/Actor.ts'

interface EmailChange {
  user_guid: string
  email: string
  encrypted_own_password: string
  code?: string | undefined
}

/**
 * Mails a link to the new address of a master or a branch. The login moves to that address when the link is followed (rule 3.10). Throws Refusal
 * FORBIDDEN unless the actor is a main account, and for the actor's own account, NOT_FOUND for a user outside the scope and for POS users,
 * REAUTH_REQUIRED and MFA_CODE_WRONG when an authenticator app is in force, and the codes of `checkOwnPassword` and `sendEmailLink`.
 */
export async function changeEmailOfOther(deps: Deps, actor: Actor, asked: EmailChange): Promise<void> {
  const { db } = deps.database
  if (!isMainAccount(actor.type) || asked.user_guid === actor.userId) throw new Refusal('FORBIDDEN')
  const user = await findUser(db, actor.scope, asked.user_guid)
  if (!user || user.loginKind === 'pos') throw new Refusal('NOT_FOUND')
  const self = await findOwnUser(db, actor.userId)
  if (!self) throw new Refusal('NOT_FOUND')
  if (asked.code === undefined && (await findMfa(db, self.id))) throw new Refusal('REAUTH_REQUIRED')
  const path = 'encrypted_own_password'
  await checkOwnPassword(deps, self, { path, jwe: asked.encrypted_own_password })
  await refuseTakenEmail(deps, asked.email)
  await commitThenThrow(db, async (tx) => {
    if ((await lockUser(tx, self.id)) !== self.passwordHash) return wrongPassword(path)
    const refusal = await mfaCodeRefusal(tx, deps, self.id, asked.code)
    if (refusal) return refusal
    return sendEmailLink(tx, deps, actor, { id: user.id, email: asked.email })
  })
  deps.wakeMailSender()
}

type DeskDeps = Pick<Deps, 'database' | 'clock' | 'settings' | 'wakeMailSender'>

/**
 * Does the same as `changeEmailOfOther` for the provider, who may also change main accounts. Throws Refusal NOT_FOUND when no account logs in with
 * `from`, and the codes of `sendEmailLink`.
 */
export async function changeEmailByProvider(deps: DeskDeps, from: string, to: string): Promise<void> {
  const { db } = deps.database
  const user = await findLoginUser(db, 'merchant', from)
  if (!user) throw new Refusal('NOT_FOUND')
  await refuseTakenEmail(deps, to)
  const provider = { provider: true, via: 'command line' } as const
  await db.transaction((tx: Db) => sendEmailLink(tx, deps, provider, { id: user.id, email: to }))
  deps.wakeMailSender()
}

/** Throws Refusal NAME_TAKEN before the mail is sent. If the address is taken later, the index refuses it when the link is followed. */
async function refuseTakenEmail({ database }: Pick<Deps, 'database'>, email: string): Promise<void> {
  if ((await takenLoginNames(database, 'merchant', [email])).has(email)) throw takenRefusal(UNIQUE_EMAIL)
}

/**
 * Mails the link to the new address and a notice to the old one. Throws Refusal INVALID_STATE for an account that is Inactive or was never activated,
 * and TOO_MANY_ATTEMPTS from the fourth link within an hour.
 */
async function sendEmailLink(
  tx: Db,
  deps: Pick<Deps, 'clock' | 'settings'>,
  actor: ActivityActor,
  { id, email }: Pick<LoginUser, 'id'> & { email: string },
): Promise<void> {
  const [token, now] = [newToken(), deps.clock.now()]
  await lockUser(tx, id)
  const user = await findOwnUser(tx, id)
  if (!user || user.passwordHash === null || isInactive(user)) throw new Refusal('INVALID_STATE')
  await refuseBeyond(tx, THROTTLES.emailChange, id, now)
  await insertLink(tx, { userId: id, kind: 'email', tokenHash: hashToken(token), email }, now)
  const asker = 'provider' in actor ? 'The programme' : `The main account of ${user.organisationName}`
  const mails = [
    emailChangeMail(deps.settings, { asker, email, organisation: user.organisationName }, token, now),
    emailChangeAskedMail(deps.settings, asker, user, now),
  ]
  await queueMails(tx, mails, now)
  const details = { old_email: user.loginName, email }
  await noteActivity(tx, actor, { action: 'account.email_change_requested', ...activityTarget(user), details }, now)
}

/**
 * Moves a login to the address that the link was mailed to, and ends its sessions, its other links and its unfinished logins. The password and the
 * authenticator app stay. Throws Refusal LINK_INVALID for a link that is used, expired, replaced or not ours, and NAME_TAKEN when another account has
 * taken that address meanwhile.
 */
export async function confirmEmail(deps: Deps, asked: { token: string }, caller: Caller): Promise<string> {
  const { db } = deps.database
  const [tokenHash, now] = [hashToken(asked.token), deps.clock.now()]
  const link = await findEmailLink(db, tokenHash, now)
  const found = link && (await findOwnUser(db, link.userId))
  if (!link || !found) throw new Refusal('LINK_INVALID')
  await refuseTaken([UNIQUE_EMAIL], () =>
    db.transaction(async (tx: Db) => {
      // Locks the branch first, as every edit of a branch does.
      if (found.branchId !== null) await lockBranch(tx, found.branchId)
      await lockUser(tx, found.id)
      const user = await findOwnUser(tx, found.id)
      if (!user || isInactive(user) || !(await consumeLink(tx, 'email', tokenHash, now))) {
        throw new Refusal('LINK_INVALID')
      }
      await updateAccount(tx, user.id, { loginName: link.email })
      // The branch form shows the address. The new revision tells a user with an open form that the address has changed.
      if (user.branchId !== null) await updateBranchRow(tx, user.branchId, {})
      await revokeAccountAccess(tx, user.id, 'email_changed', now)
      await queueMails(tx, [emailChangedMail(deps.settings, user, now)], now)
      const details = { old_email: user.loginName, email: link.email }
      const actor = personOf({ ...user, loginName: link.email }, caller)
      await noteActivity(tx, actor, { action: 'account.email_changed', ...activityTarget(user), details }, now)
    }),
  )
  deps.wakeMailSender()
  return link.email
}
