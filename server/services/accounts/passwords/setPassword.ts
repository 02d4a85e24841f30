import { setAccountStatus } from '../../../db/accounts/accounts.ts'
import { devicesOf } from '../../../db/accounts/login/knownDevices.ts'
import { forgetAttempts } from '../../../db/accounts/login/loginAttempts.ts'
import { consumeChallenge, dropChallenges } from '../../../db/accounts/login/loginChallenges.ts'
import { lockUser, type LoginUser } from '../../../db/accounts/loginUsers.ts'
import { dropSetups } from '../../../db/accounts/mfa.ts'
import { consumeLink, PASSWORD_LINKS, replacePassword, supersedeLinks } from '../../../db/accounts/passwords.ts'
import { endSessions } from '../../../db/accounts/sessions.ts'
import { noteActivity, type ActivityActor } from '../../../db/activity/activity.ts'
import type { Db } from '../../../db/engine/Database.ts'
import { queueMail } from '../../../db/mailOutbox.ts'
import { changeOrganisationStatus } from '../../../db/merchants/organisations.ts'
import type { Deps } from '../../../Deps.ts'
import { passwordChangedMail } from '../../../mail/securityMails.ts'
import { activityTarget } from '../../activity/activity.ts'
import { deviceAttemptKey, loginAttemptKey } from '../login/throttledAttempt.ts'
import { ownPasswordAttemptKey } from './checkOwnPassword.ts'
import { hashInTurn } from './passwordHash.ts'

/**
 * The way a password is set. `self`: by the user, whose session goes on. `link` and `activation`: with a mailed link, for another or the first
 * password. `login`: in answer to the challenge NEW_PASSWORD. `main account`: by that account, which may have the password generated. Setting the
 * password uses up the link or challenge.
 */
export type PasswordSetter =
  | { by: 'self'; sessionId: string }
  | { by: 'link'; tokenHash: string }
  | { by: 'activation'; tokenHash: string }
  | { by: 'login'; tokenHash: string }
  | { by: 'main account'; isGenerated?: true }

interface PasswordChange {
  password: string
  setter: PasswordSetter
  /** The actor that the activity log names. */
  actor: ActivityActor
}

/**
 * Sets the password of `user`, which the caller has checked against the rules. One transaction also updates history, sessions, links, challenges,
 * throttle, activation and mail. Returns the hash, or `undefined` when nothing was done because the password has changed meanwhile or the link or
 * challenge is used up.
 */
export async function setPassword(
  deps: Deps,
  user: LoginUser,
  { password, setter, actor }: PasswordChange,
): Promise<string | undefined> {
  const passwordHash = await hashInTurn(deps, password)
  const now = deps.clock.now()
  const isSet = await deps.database.db.transaction(async (tx: Db) => {
    if ((await lockUser(tx, user.id)) !== user.passwordHash) return false
    if (!(await consumeProof(tx, setter, now))) return false
    await replacePassword(tx, user, { passwordHash, mustChangePassword: setter.by === 'main account' }, now)
    await endSessions(
      tx,
      { userId: user.id, except: setter.by === 'self' ? setter.sessionId : undefined },
      'password_changed',
      now,
    )
    await endPendingSteps(tx, user)
    if (setter.by === 'activation') await activateAccount(tx, user)
    // POS users have no address.
    else if (user.loginKind === 'merchant')
      await queueMail(tx, passwordChangedMail(deps.settings, user, setter.by, now), now)
    await noteActivity(tx, actor, { ...entryOf(setter), ...activityTarget(user) }, now)
    return true
  })
  if (isSet) deps.wakeMailSender()
  return isSet ? passwordHash : undefined
}

function entryOf(setter: PasswordSetter) {
  switch (setter.by) {
    case 'self':
      return { action: 'password.changed' } as const
    case 'link':
      return { action: 'password.changed', details: { how: 'With a mailed link' } } as const
    case 'login':
      return {
        action: 'password.changed',
        details: { how: 'Replacing one that somebody else had set' },
      } as const
    case 'activation':
      return { action: 'account.activated' } as const
    case 'main account':
      return { action: setter.isGenerated ? 'pos_user.password_reset' : 'password.set' } as const
  }
}

async function consumeProof(tx: Db, setter: PasswordSetter, now: Date): Promise<boolean> {
  switch (setter.by) {
    case 'link':
      return consumeLink(tx, 'reset', setter.tokenHash, now)
    case 'activation':
      return consumeLink(tx, 'activation', setter.tokenHash, now)
    case 'login':
      return consumeChallenge(tx, 'NEW_PASSWORD', setter.tokenHash, now)
    case 'self':
    case 'main account':
      return true
  }
}

/** Ends all links, setups and challenges that began with the old password or an earlier mail, and forgets failed attempts. */
async function endPendingSteps(tx: Db, { id, loginKind, loginName }: LoginUser): Promise<void> {
  await supersedeLinks(tx, id, PASSWORD_LINKS)
  await dropSetups(tx, id)
  await dropChallenges(tx, id)
  const onDevices = (await devicesOf(tx, id)).map((tokenHash) => deviceAttemptKey(id, tokenHash))
  await forgetAttempts(tx, [loginAttemptKey(loginKind, loginName), ownPasswordAttemptKey(id), ...onDevices])
}

/**
 * Gives an account its next status after its owner has set the first password with the activation link (rule 5.5). An HRP Merchant continues with
 * onboarding, and sees nothing else until it is approved. Accounts invited by a merchant become active, and so does an ADHOC Merchant, whose
 * application was approved before its link was mailed.
 */
async function activateAccount(tx: Db, user: LoginUser): Promise<void> {
  if (user.type === 'HRP Merchant' && user.status === 'Pending') {
    await setAccountStatus(tx, user.id, 'Pending Activation')
    await changeOrganisationStatus(tx, user.organisationId, 'Pending', 'Pending Activation')
  }
  if (user.type !== 'HRP Merchant' && user.status === 'Pending Activation') {
    await setAccountStatus(tx, user.id, 'Active')
  }
}
