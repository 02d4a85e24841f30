import { inArray } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import type { AccountStatus, UserType } from '../../src/contract/permissions.ts'
import type { Db } from '../db/Database.ts'
import { appUser, branch, organisation, redemption, voucher } from '../db/schema.ts'
import { hashPassword } from '../services/passwordHash.ts'
import {
  APPLICANT,
  DEMO_PASSWORD,
  EVENT_STALL,
  KOPI_AND_GRAIN,
  MERCHANT_ACCOUNTS,
  POS_ACCOUNT,
} from './demoMerchants.ts'
import { demoVouchers, type Till } from './demoVouchers.ts'

/** Rows per INSERT: PostgreSQL takes 65,535 parameters in one. */
const CHUNK = 500

/** Fills an empty database with the demo of DESIGN §8, all of it or nothing. */
export async function seedDemo(db: Db, now: Date): Promise<void> {
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  await db.transaction(async (tx: Db) => {
    const account = (user: NewAccount) => insertAccount(tx, { ...user, passwordHash }, now)
    const tills = [...(await seedKopiAndGrain(tx, account)), ...(await seedEventStall(tx, account))]
    await seedApplicant(tx, account)
    const { vouchers, redemptions } = demoVouchers(tills, now)
    await inChunks(vouchers, (rows) => tx.insert(voucher).values(rows))
    await inChunks(redemptions, (rows) => tx.insert(redemption).values(rows))
  })
}

interface NewAccount {
  organisationId: string
  branchId?: string
  type: UserType
  loginName: string
  status?: AccountStatus
}
type Account = (user: NewAccount) => Promise<string>

async function seedKopiAndGrain(tx: Db, account: Account): Promise<Till[]> {
  const organisationId = await insertOrganisation(tx, KOPI_AND_GRAIN, 'HRP')
  await account({ organisationId, type: 'HRP Merchant', loginName: MERCHANT_ACCOUNTS.main })
  const master = await account({ organisationId, type: 'Additional Merchant', loginName: MERCHANT_ACCOUNTS.master })
  const tills = await seedBranches(tx, account, organisationId, KOPI_AND_GRAIN.branches, master)
  const branchId = tills.find(({ username }) => username === POS_ACCOUNT)!.branchId
  await account({ organisationId, branchId, type: 'Branch Merchant', loginName: MERCHANT_ACCOUNTS.branch })
  return tills
}

async function seedEventStall(tx: Db, account: Account): Promise<Till[]> {
  const organisationId = await insertOrganisation(tx, EVENT_STALL, 'ADHOC')
  await account({ organisationId, type: 'ADHOC Merchant', loginName: MERCHANT_ACCOUNTS.adhoc })
  return seedBranches(tx, account, organisationId, EVENT_STALL.branches)
}

async function seedApplicant(tx: Db, account: Account): Promise<void> {
  const organisationId = await insertOrganisation(tx, APPLICANT, 'HRP', 'Pending Activation')
  const loginName = MERCHANT_ACCOUNTS.pending
  await account({ organisationId, type: 'HRP Merchant', loginName, status: 'Pending Activation' })
}

async function seedBranches(
  tx: Db,
  account: Account,
  organisationId: string,
  branches: readonly { name: string; tills: readonly string[]; managed: boolean }[],
  master?: string,
): Promise<(Till & { username: string })[]> {
  const tills = []
  const managed: string[] = []
  for (const [index, { name, tills: usernames, managed: isManaged }] of branches.entries()) {
    const branchId = uuidv7()
    const code = String(index + 1).padStart(3, '0')
    await tx.insert(branch).values({ id: branchId, organisationId, name, code, status: 'Active' })
    if (isManaged) managed.push(branchId)
    for (const username of usernames) {
      const userId = await account({ organisationId, branchId, type: 'POS User', loginName: username })
      tills.push({ userId, branchId, organisationId, username })
    }
  }
  if (master) await tx.update(branch).set({ masterUserId: master }).where(inArray(branch.id, managed))
  return tills
}

async function insertOrganisation(
  tx: Db,
  { merchantId, name }: { merchantId: string; name: string },
  type: 'HRP' | 'ADHOC',
  status: AccountStatus = 'Active',
): Promise<string> {
  const id = uuidv7()
  await tx.insert(organisation).values({ id, merchantId, name, type, status })
  return id
}

async function insertAccount(tx: Db, user: NewAccount & { passwordHash: string }, now: Date): Promise<string> {
  const id = uuidv7()
  const loginKind = user.type === 'POS User' ? 'pos' : 'merchant'
  await tx.insert(appUser).values({ id, status: 'Active', loginKind, passwordChangedAt: now, createdAt: now, ...user })
  return id
}

async function inChunks<T>(rows: T[], insert: (chunk: T[]) => PromiseLike<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += CHUNK) await insert(rows.slice(at, at + CHUNK))
}
