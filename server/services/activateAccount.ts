import { and, eq } from 'drizzle-orm'
import type { AccountStatus } from '../../src/contract/accounts/permissions.ts'
import type { Db } from '../db/engine/Database.ts'
import { appUser, organisation } from '../db/schema.ts'
import type { LoginUser } from '../db/accounts/loginUsers.ts'

/**
 * What becomes of an account whose owner has followed the activation link and set the first password (DESIGN §2). A main
 * account goes on to onboarding, behind the gate; who was invited by a merchant is active, and so is an ADHOC
 * Merchant, whose application was approved before its link was mailed.
 */
export async function activateAccount(tx: Db, user: LoginUser): Promise<void> {
  if (user.type === 'HRP Merchant' && user.status === 'Pending') {
    await setStatus(tx, user, 'Pending Activation')
    await tx
      .update(organisation)
      .set({ status: 'Pending Activation' })
      .where(and(eq(organisation.id, user.organisationId), eq(organisation.status, 'Pending')))
  }
  if (user.type !== 'HRP Merchant' && user.status === 'Pending Activation') await setStatus(tx, user, 'Active')
}

const setStatus = (tx: Db, { id }: LoginUser, status: AccountStatus) =>
  tx.update(appUser).set({ status }).where(eq(appUser.id, id))
