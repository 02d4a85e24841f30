import type { DemoAccount, DemoLogins } from '../../src/contract/system.ts'
import { singaporeDay } from '../../src/domain/singaporeTime.ts'
import { formatSerial } from '../../src/domain/vouchers.ts'
import { ConfigError, type Config } from '../config.ts'
import { findLoginUser } from '../db/accounts/loginUsers.ts'
import type { Database, Db } from '../db/engine/Database.ts'
import { hasOrganisations } from '../db/merchants/organisations.ts'
import { firstSerials } from '../db/vouchers/vouchers.ts'
import { DEMO_PASSWORD, MERCHANT_ACCOUNTS, POS_ACCOUNT } from './demoMerchants.ts'
import { seedDemo } from './seedDemo.ts'

/**
 * Seeds an empty database, or finds the demo in a seeded database. Returns undefined if there is no demo. Throws
 * ConfigError if DEMO is on and the database has other data.
 */
export async function prepareDemo(database: Database, setting: Config['demo'], now: Date): Promise<Demo | undefined> {
  if (setting === 'off') return undefined
  if (!(await hasOrganisations(database.db))) await seedDemo(database.db, now)
  const demo = await findDemo(database.db, now)
  if (!demo && setting === 'on') throw new ConfigError('DEMO cannot be on: the database holds other data')
  return demo
}

/** Serials to try at the counter, one of each kind. Undefined if no voucher of that kind is left. */
export interface Demo {
  active: string | undefined
  used: string | undefined
  expired: string | undefined
}

/** Finds the demo in this database. Returns undefined if the database was not seeded. */
async function findDemo(db: Db, now: Date): Promise<Demo | undefined> {
  const main = await findLoginUser(db, 'merchant', MERCHANT_ACCOUNTS.main)
  return main && firstSerials(db, singaporeDay(now))
}

const merchantAccount = (key: keyof typeof MERCHANT_ACCOUNTS, description: string): DemoAccount => ({
  kind: 'merchant',
  login_name: MERCHANT_ACCOUNTS[key],
  description,
})

export const DEMO_LOGINS: DemoLogins = {
  password: DEMO_PASSWORD,
  accounts: [
    merchantAccount('main', 'HRP Merchant, the main account'),
    merchantAccount('master', 'Additional Merchant with three branches'),
    merchantAccount('adhoc', 'ADHOC Merchant, an event stall'),
    merchantAccount('branch', 'Branch Merchant, Tampines Central'),
    merchantAccount('pending', 'HRP Merchant before its onboarding'),
    { kind: 'pos', login_name: POS_ACCOUNT, description: 'Cashier at Tampines Central' },
  ],
}

/** Returns the text printed at the start: accounts to log in with, and serials to type at the counter. */
export function describeDemo({ active, used, expired }: Demo): string {
  const linesOf = (kind: DemoAccount['kind']) =>
    DEMO_LOGINS.accounts
      .filter((account) => account.kind === kind)
      .map((account) => formatLine(account.login_name, account.description))
  const serials = { active, used, expired }
  const vouchers = Object.entries(serials).flatMap(([kind, serial]) =>
    serial ? [formatLine(formatSerial(serial), kind)] : [],
  )
  return [
    `Log in with the password ${DEMO_PASSWORD}`,
    ' on the tab "Merchant" as',
    ...linesOf('merchant'),
    ' on the tab "Point of sale" as',
    ...linesOf('pos'),
    `Links from emails appear here, such as the link to decide on the onboarding of ${MERCHANT_ACCOUNTS.pending}.`,
    'Vouchers to try:',
    ...vouchers,
    '',
    '',
  ].join('\n')
}

const formatLine = (name: string, description: string) => `  ${name.padEnd(24)} ${description}`
