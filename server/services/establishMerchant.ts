import { eq } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { MerchantApplication } from '../../src/contract/merchants/application.ts'
import type { Db } from '../db/engine/Database.ts'
import { insertOrganisation } from '../db/merchants/organisations.ts'
import { appUser, organisation } from '../db/schema.ts'
import type { LoginUser } from '../db/accounts/loginUsers.ts'

const KINDS = {
  hrp: { type: 'HRP', userType: 'HRP Merchant' },
  adhoc: { type: 'ADHOC', userType: 'ADHOC Merchant' },
} as const

export interface Established {
  organisationId: string
  userId: string
}

/**
 * The organisation of an application and its main account, both Pending and without a password. `rejected` is an account of
 * this e-mail that was turned down before: it is taken up again, with what is applied for now.
 */
export async function establishMerchant(
  tx: Db,
  { role, email, organisation_name: name }: MerchantApplication,
  rejected: LoginUser | undefined,
  now: Date,
): Promise<Established> {
  const { type, userType } = KINDS[role]
  const status = 'Pending'
  if (rejected) {
    const { id: userId, organisationId } = rejected
    await tx.update(organisation).set({ name, type, status }).where(eq(organisation.id, organisationId))
    await tx.update(appUser).set({ type: userType, status }).where(eq(appUser.id, userId))
    return { organisationId, userId }
  }
  const organisationId = await insertOrganisation(tx, { name, type, status })
  const userId = uuidv7()
  const account = { organisationId, type: userType, status, loginKind: 'merchant', loginName: email } as const
  await tx.insert(appUser).values({ id: userId, ...account, createdAt: now })
  return { organisationId, userId }
}
