import { formatSerial } from '../../src/domain/vouchers.ts'
import { DEMO_PASSWORD, MERCHANT_ACCOUNTS, POS_ACCOUNT } from './demoMerchants.ts'
import type { Demo } from './findDemo.ts'

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
