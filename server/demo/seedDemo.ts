import { v7 as uuidv7 } from 'uuid'
import type { AccountStatus, UserType } from '../../src/contract/accounts/permissions.ts'
import { lastClosedMonth } from '../../src/domain/months.ts'
import { addDays, singaporeDay } from '../../src/domain/singaporeTime.ts'
import { WEEKDAYS } from '../../src/domain/weekdays.ts'
import type { Db } from '../db/engine/Database.ts'
import { markMonthDone } from '../db/reports/monthlySummaries.ts'
import { appUser, branch, organisation } from '../db/schema/organisations.ts'
import { redemption } from '../db/schema/redemptions.ts'
import { resource } from '../db/schema/resources.ts'
import { voucher } from '../db/schema/vouchers.ts'
import { hashPassword } from '../services/accounts/passwords/passwordHash.ts'
import {
  APPLICANT,
  DEMO_PASSWORD,
  DEMO_PIN,
  EVENT_STALL,
  KOPI_AND_GRAIN,
  MERCHANT_ACCOUNTS,
  type DemoBranch,
} from './demoMerchants.ts'
import { demoResources } from './demoResources.ts'
import { seedStatements } from './demoStatements.ts'
import { demoVouchers, type Till } from './demoVouchers.ts'

/** Rows per INSERT: PostgreSQL takes at most 65,535 parameters. */
const CHUNK = 500

/** Fills an empty database with the demo, all of it or nothing (rule 17.3). */
export async function seedDemo(db: Db, now: Date): Promise<void> {
  const hashes = { passwordHash: await hashPassword(DEMO_PASSWORD), pinHash: await hashPassword(DEMO_PIN) }
  await db.transaction(async (tx: Db) => {
    const seed: Seed = { tx, now, ...hashes }
    const tills = [...(await seedKopiAndGrain(seed)), ...(await seedEventStall(seed))]
    await seedApplicant(seed)
    const { vouchers, redemptions } = demoVouchers(tills, now)
    await inChunks(vouchers, (rows) => tx.insert(voucher).values(rows))
    await inChunks(redemptions, (rows) => tx.insert(redemption).values(rows))
    await tx.insert(resource).values(await demoResources(vouchers, singaporeDay(now), now))
    await seedStatements(tx, now)
    // The summary of the last closed month counts as sent, so that the server mails none.
    await markMonthDone(tx, lastClosedMonth(now), now)
  })
}

interface Seed {
  tx: Db
  now: Date
  passwordHash: string
  pinHash: string
}

async function seedKopiAndGrain(seed: Seed): Promise<Till[]> {
  const { branches, masters, summaryRecipients, ...facts } = KOPI_AND_GRAIN
  const contact = { contactNumber: '+65 6555 0100', contactEmail: MERCHANT_ACCOUNTS.main }
  const summary = { summaryEnabled: true, summaryRecipients: [...summaryRecipients] }
  const organisationId = await insertOrganisation(seed, { type: 'HRP', ...facts, ...contact, ...summary })
  const main = await insertAccount(seed, { organisationId, type: 'HRP Merchant', loginName: MERCHANT_ACCOUNTS.main })
  const type = 'Additional Merchant'
  const east = { organisationId, type, loginName: MERCHANT_ACCOUNTS.master, name: 'East Region Master' } as const
  const master = await insertAccount(seed, east)
  for (const { email: loginName, ...rest } of masters) {
    await insertAccount(seed, { organisationId, type, loginName, ...rest })
  }
  return seedBranches(seed, { organisationId, main, master }, branches)
}

async function seedEventStall(seed: Seed): Promise<Till[]> {
  const { merchantId, name, branches } = EVENT_STALL
  const organisationId = await insertOrganisation(seed, { merchantId, name, type: 'ADHOC' })
  const main = await insertAccount(seed, { organisationId, type: 'ADHOC Merchant', loginName: MERCHANT_ACCOUNTS.adhoc })
  return seedBranches(seed, { organisationId, main }, branches)
}

async function seedApplicant(seed: Seed): Promise<void> {
  const status = 'Pending Activation'
  const organisationId = await insertOrganisation(seed, { ...APPLICANT, type: 'HRP', status })
  await insertAccount(seed, { organisationId, type: 'HRP Merchant', loginName: MERCHANT_ACCOUNTS.pending, status })
}

interface Owner {
  organisationId: string
  main: string
  master?: string
}

/** Inserts branches with their accounts. Returns the tills that redeem, without those of the adhoc branch, which has opened only now. */
async function seedBranches(seed: Seed, owner: Owner, branches: readonly DemoBranch[]): Promise<Till[]> {
  const { organisationId } = owner
  const tills = []
  for (const described of branches) {
    const branchId = await insertBranch(seed, owner, described)
    const { email: loginName, status } = described.login
    await insertAccount(seed, { organisationId, branchId, type: 'Branch Merchant', loginName, status })
    for (const username of described.tills) {
      const userId = await insertAccount(seed, { organisationId, branchId, type: 'POS User', loginName: username })
      if (!described.days) tills.push({ userId, branchId, organisationId })
    }
  }
  return tills
}

async function insertBranch(
  { tx, now, pinHash }: Seed,
  { organisationId, main, master }: Owner,
  described: DemoBranch,
) {
  const id = uuidv7()
  const today = singaporeDay(now)
  const [from, to] = described.days ?? []
  await tx.insert(branch).values({
    id,
    organisationId,
    name: described.name,
    code: described.code,
    status: described.status ?? 'Active',
    masterUserId: described.managed ? (master ?? null) : null,
    business: businessOf(described),
    financialContact: FINANCIAL_CONTACT,
    pinHash,
    pinWeak: true,
    pinSetAt: now,
    createdAt: now,
    createdBy: main,
    ...(from === undefined || to === undefined
      ? {}
      : { kind: 'adhoc' as const, fromDay: addDays(today, from), toDay: addDays(today, to) }),
  })
  return id
}

const HOURS = { opens: '08:00', closes: '21:30' }
const FINANCIAL_CONTACT = { name: 'Nadia Rahim', email: 'finance@demo.example', contact_number: '+65 6555 0142' }

const businessOf = ({ address, postalCode }: DemoBranch) => ({
  address,
  postal_code: postalCode,
  contact_number: '+65 6555 0110',
  operating_hours: Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, HOURS])),
})

async function insertOrganisation(
  { tx }: Seed,
  row: Omit<typeof organisation.$inferInsert, 'id' | 'status'> & { status?: AccountStatus },
): Promise<string> {
  const id = uuidv7()
  await tx.insert(organisation).values({ id, status: 'Active', ...row })
  return id
}

interface NewAccount {
  organisationId: string
  branchId?: string
  type: UserType
  loginName: string
  name?: string
  status?: AccountStatus
}

/** Inserts an account. Invited accounts that are not activated have no password; the applicant has one, to try the next steps. */
async function insertAccount({ tx, now, passwordHash }: Seed, user: NewAccount): Promise<string> {
  const id = uuidv7()
  const loginKind = user.type === 'POS User' ? 'pos' : 'merchant'
  const isInvited = user.status === 'Pending Activation' && user.type !== 'HRP Merchant'
  const password = isInvited ? {} : { passwordHash, passwordChangedAt: now }
  await tx.insert(appUser).values({ id, status: 'Active', loginKind, createdAt: now, ...password, ...user })
  return id
}

async function inChunks<T>(rows: T[], insert: (chunk: T[]) => PromiseLike<unknown>): Promise<void> {
  for (let at = 0; at < rows.length; at += CHUNK) await insert(rows.slice(at, at + CHUNK))
}
