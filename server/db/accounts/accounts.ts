import { and, eq, inArray, sql } from 'drizzle-orm'
import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import type { Database, Db } from '../engine/Database.ts'
import { knownDevice, passwordHistory, passwordLink, session } from '../schema/accounts.ts'
import { appUser, type LoginKind } from '../schema/organisations.ts'
import { redemption } from '../schema/redemptions.ts'
import { dropChallenges } from './login/loginChallenges.ts'
import { dropSetups } from './mfa.ts'
import { supersedeLinks } from './passwords.ts'
import { endSessions } from './sessions.ts'

export type NewAccount = Omit<typeof appUser.$inferInsert, 'loginKind'>

/** Inserts an account. Throws the unique violation of the index `app_user_login` when the name is taken. */
export async function insertAccount(tx: Db, account: NewAccount): Promise<void> {
  const loginKind = account.type === 'POS User' ? 'pos' : 'merchant'
  await tx.insert(appUser).values({ ...account, loginKind })
}

/** Sets `values` and increments the revision. The caller has locked the row. */
export async function updateAccount(
  tx: Db,
  id: string,
  values: Partial<Pick<typeof appUser.$inferInsert, 'name' | 'loginName' | 'contactName' | 'contactNumber'>>,
): Promise<void> {
  await tx
    .update(appUser)
    .set({ ...values, revision: sql`${appUser.revision} + 1` })
    .where(eq(appUser.id, id))
}

/** Sets the status when the account itself moves on, for example on activation. This is not an edit, so the revision does not change. */
export async function setAccountStatus(tx: Db, id: string, status: AccountStatus): Promise<void> {
  await tx.update(appUser).set({ status }).where(eq(appUser.id, id))
}

/**
 * Deactivates or reactivates an account. Reactivated, it is Active, or Pending Activation if no password was ever set. Returns false when the account
 * is in none of the states `from`.
 */
export async function changeAccountStatus(
  tx: Db,
  id: string,
  from: AccountStatus[],
  to: 'Inactive' | 'reactivated',
): Promise<boolean> {
  const activated = sql<AccountStatus>`CASE WHEN ${appUser.passwordHash} IS NULL THEN 'Pending Activation' ELSE 'Active' END`
  const changed = await tx
    .update(appUser)
    .set({ status: to === 'Inactive' ? to : activated, revision: sql`${appUser.revision} + 1` })
    .where(and(eq(appUser.id, id), inArray(appUser.status, from)))
    .returning({ id: appUser.id })
  return changed.length === 1
}

/** Ends the account's sessions, mailed links and half-finished logins. Runs in the transaction of the change that `reason` names. */
export async function revokeAccountAccess(
  tx: Db,
  id: string,
  reason: 'deactivated' | 'email_changed',
  now: Date,
): Promise<void> {
  await endSessions(tx, { userId: id }, reason, now)
  await supersedeLinks(tx, id)
  await dropSetups(tx, id)
  await dropChallenges(tx, id)
}

/** True if the account ever completed a login or redeemed a voucher. Such an account must be kept. */
export async function hasHistory(db: Db, id: string): Promise<boolean> {
  const sessions = db.select({ id: session.id }).from(session).where(eq(session.userId, id)).limit(1)
  const redemptions = db.select({ id: redemption.id }).from(redemption).where(eq(redemption.posUserId, id)).limit(1)
  return (await sessions).length > 0 || (await redemptions).length > 0
}

/** Deletes an account without history, and everything stored about it. */
export async function deleteAccount(tx: Db, id: string): Promise<void> {
  await dropSetups(tx, id)
  await dropChallenges(tx, id)
  await tx.delete(passwordLink).where(eq(passwordLink.userId, id))
  await tx.delete(passwordHistory).where(eq(passwordHistory.userId, id))
  await tx.delete(knownDevice).where(eq(knownDevice.userId, id))
  await tx.delete(appUser).where(eq(appUser.id, id))
}

/** Returns those of `names` that are taken for this kind of login. Names belong to no tenant, so this read has no scope and sees all rows. */
export async function takenLoginNames(database: Database, loginKind: LoginKind, names: string[]): Promise<Set<string>> {
  const found = await database
    .forAllTenants()
    .db.select({ name: appUser.loginName })
    .from(appUser)
    .where(and(eq(appUser.loginKind, loginKind), inArray(appUser.loginName, names)))
  return new Set(found.map(({ name }) => name))
}
