import type { Db } from '../../server/db/Database.ts'
import { eq } from 'drizzle-orm'
import { branch } from '../../server/db/schema.ts'
import {
  makeBranch,
  makeMerchant,
  makePosUser,
  makeUser,
  type Branch,
  type Organisation,
  type User,
} from './builders.ts'

/** Everyone who can sign in, of the smallest organisation that has them all. */
export interface Actors {
  organisation: Organisation
  /** Managed by `Additional`; `Branch` and `POS` belong to it. */
  branch: Branch
  /** Of the same organisation, and nobody's but the main account's. */
  otherBranch: Branch
  users: Record<Signed, User>
  till: User & { branch: Branch; organisation: Organisation }
  otherTill: User & { branch: Branch; organisation: Organisation }
}

export const SIGNED = ['HRP', 'gated HRP', 'Additional', 'ADHOC', 'Branch', 'POS'] as const
export type Signed = (typeof SIGNED)[number]

/** One of each type; the ADHOC Merchant and the gated one have organisations of their own. */
export async function makeActors(db: Db): Promise<Actors> {
  const merchant = await makeMerchant(db)
  const { organisation, branch: managed } = merchant
  const otherBranch = await makeBranch(db, organisation)
  const master = await makeUser(db, 'Additional Merchant', { organisation })
  await db.update(branch).set({ masterUserId: master.id }).where(eq(branch.id, managed.id))
  const till = await makePosUser(db, { organisation, branch: managed })
  const otherTill = await makePosUser(db, { organisation, branch: otherBranch })
  const users = {
    HRP: merchant.main,
    'gated HRP': (await makeMerchant(db, 'HRP Merchant', 'Pending Authorisation')).main,
    Additional: master,
    ADHOC: (await makeMerchant(db, 'ADHOC Merchant')).main,
    Branch: await makeUser(db, 'Branch Merchant', { organisation, branch: managed }),
    POS: till,
  }
  return { organisation, branch: managed, otherBranch, users, till, otherTill }
}
