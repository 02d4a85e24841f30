import { and, asc, count, eq, gte, lt } from 'drizzle-orm'
import { singaporeDay } from '../../src/domain/singaporeTime.ts'
import { formatSerial } from '../../src/domain/vouchers.ts'
import { ConfigError, type Config } from '../config.ts'
import type { Database, Db } from '../db/engine/Database.ts'
import { appUser, organisation } from '../db/schema/organisations.ts'
import { voucher } from '../db/schema/vouchers.ts'
import { DEMO_PASSWORD, MERCHANT_ACCOUNTS, POS_ACCOUNT } from './demoMerchants.ts'
import { seedDemo } from './seedDemo.ts'

/** Seeds an empty database, and finds the demo again in one that was seeded. Throws ConfigError when `on` meets other data. */
export async function prepareDemo(database: Database, wish: Config['demo'], now: Date): Promise<Demo | undefined> {
  if (wish === 'off') return undefined
  const [found] = await database.db.select({ organisations: count() }).from(organisation)
  if (found?.organisations === 0) await seedDemo(database.db, now)
  const demo = await findDemo(database.db, now)
  if (!demo && wish === 'on') throw new ConfigError('DEMO cannot be on: the database holds other data')
  return demo
}

/** Serials to try at the counter; one of a kind may have been used up by then. */
export interface Demo {
  active: string | undefined
  used: string | undefined
  expired: string | undefined
}

/** The demo of this database, or `undefined` when it was not seeded. */
async function findDemo(db: Db, now: Date): Promise<Demo | undefined> {
  const isMain = and(eq(appUser.loginKind, 'merchant'), eq(appUser.loginName, MERCHANT_ACCOUNTS.main))
  const [main] = await db.select({ id: appUser.id }).from(appUser).where(isMain)
  if (!main) return undefined
  const today = singaporeDay(now)
  return {
    active: await firstSerial(db, and(eq(voucher.status, 'Active'), gte(voucher.expiresOn, today))),
    used: await firstSerial(db, eq(voucher.status, 'Used')),
    expired: await firstSerial(db, and(eq(voucher.status, 'Active'), lt(voucher.expiresOn, today))),
  }
}

async function firstSerial(db: Db, which: ReturnType<typeof and>): Promise<string | undefined> {
  const [found] = await db
    .select({ serial: voucher.serial })
    .from(voucher)
    .where(which)
    .orderBy(asc(voucher.id))
    .limit(1)
  return found?.serial
}

const DESCRIPTIONS: Record<keyof typeof MERCHANT_ACCOUNTS, string> = {
  main: 'HRP Merchant, the main account',
  master: 'Additional Merchant with three branches',
  adhoc: 'ADHOC Merchant, an event stall',
  branch: 'Branch Merchant, Tampines Central',
  pending: 'HRP Merchant waiting for activation',
}

/** What is printed at start: whom to sign in as, and what to type at the counter. */
export function describeDemo({ active, used, expired }: Demo): string {
  const merchants = Object.entries(DESCRIPTIONS).map(([key, description]) =>
    line(MERCHANT_ACCOUNTS[key as keyof typeof MERCHANT_ACCOUNTS], description),
  )
  const serials = { active, used, expired }
  const vouchers = Object.entries(serials).flatMap(([kind, serial]) =>
    serial ? [line(formatSerial(serial), kind)] : [],
  )
  return [
    `Demo accounts, all with the password ${DEMO_PASSWORD}`,
    ' On the "Merchant" tab:',
    ...merchants,
    ' On the "Point of sale" tab:',
    line(POS_ACCOUNT, 'POS user at Tampines Central'),
    `Submit the onboarding of ${MERCHANT_ACCOUNTS.pending}: the link to decide on it is printed here.`,
    'Vouchers to try:',
    ...vouchers,
    '',
    '',
  ].join('\n')
}

const line = (name: string, description: string) => `  ${name.padEnd(24)} ${description}`
