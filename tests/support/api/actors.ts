import { eq } from 'drizzle-orm'
import type { Db } from '../../../server/db/engine/Database.ts'
import { branch } from '../../../server/db/schema/organisations.ts'
import { makeBranch, makeMerchant, makePosUser, makeUser, type User } from '../database/builders.ts'

export type Actors = Awaited<ReturnType<typeof makeActors>>

/** Main accounts that may log in but may open no screen (rule 2.7), one for each status. */
export const GATED = ['Pending Authorisation', 'Pending Activation', 'Authorisation Rejected'] as const
export type Gated = (typeof GATED)[number]

/** `other tenant` is the main account of another organisation. */
export const SIGNED = ['HRP', ...GATED, 'Additional', 'ADHOC', 'Branch', 'POS', 'other tenant'] as const
export type Signed = (typeof SIGNED)[number]

/**
 * Makes one user of each kind that can log in. They share one organisation, except for the ADHOC Merchant, the gated accounts and the other tenant.
 */
export async function makeActors(db: Db) {
  const merchant = await makeMerchant(db)
  const { organisation, branch: managed } = merchant
  // Only the main account manages this branch. `Additional` manages the other one, and `Branch` and `POS` belong to it.
  const otherBranch = await makeBranch(db, organisation)
  const master = await makeUser(db, 'Additional Merchant', { organisation })
  await db.update(branch).set({ masterUserId: master.id }).where(eq(branch.id, managed.id))
  const till = await makePosUser(db, { organisation, branch: managed })
  const otherTill = await makePosUser(db, { organisation, branch: otherBranch })
  const users: Record<Signed, User> = {
    HRP: merchant.main,
    'Pending Authorisation': (await makeMerchant(db, 'HRP Merchant', 'Pending Authorisation')).main,
    'Pending Activation': (await makeMerchant(db, 'HRP Merchant', 'Pending Activation')).main,
    'Authorisation Rejected': (await makeMerchant(db, 'HRP Merchant', 'Authorisation Rejected')).main,
    Additional: master,
    ADHOC: (await makeMerchant(db, 'ADHOC Merchant')).main,
    Branch: await makeUser(db, 'Branch Merchant', { organisation, branch: managed }),
    POS: till,
    'other tenant': (await makeMerchant(db)).main,
  }
  return { organisation, branch: managed, otherBranch, users, till, otherTill }
}
