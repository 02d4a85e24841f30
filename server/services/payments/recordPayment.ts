import { formatCents } from '../../../src/domain/money.ts'
import { lastDayOfMonth } from '../../../src/domain/months.ts'
import { formatMonth, singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { queueMail } from '../../db/mailOutbox.ts'
import { findMainAccount, findOrganisationByNumber, type OrganisationRow } from '../../db/merchants/organisations.ts'
import { findStatement, setPaid, type StatementRow } from '../../db/payments/statements.ts'
import type { Deps } from '../../Deps.ts'
import { paymentMail } from '../../mail/paymentMail.ts'

type PaymentDeps = Pick<Deps, 'database' | 'clock' | 'settings' | 'wakeMailSender'>

/** A payment as the provider's desk names it. */
export interface Payment {
  /** The number of the merchant. */
  merchant: string
  /** The month of the statement, `2026-11`. */
  month: string
  /** The bank's reference of the payment. */
  reference: string
  /** The Singapore day on which it was paid. */
  paidOn: string
  /** Cents, if the desk has them: then they must be those of the statement. */
  cents?: number | undefined
}

/** The statement that a payment is for. */
export interface PaidStatement extends Pick<StatementRow, 'month' | 'totalCents'> {
  organisation: OrganisationRow
}

/** Thrown for a payment that cannot be recorded. Each message is for the person at the desk. */
export class PaymentRefused extends Error {
  override name = 'PaymentRefused' as const
  readonly reasons: readonly string[]
  constructor(reasons: readonly string[]) {
    super(reasons.join('\n'))
    this.reasons = reasons
  }
}

/**
 * Records payments, all or none, and mails each merchant. With `dryRun` it only checks them. Throws PaymentRefused with a reason for each wrong
 * payment, named by `nameOf`.
 */
export async function recordPayments(
  deps: PaymentDeps,
  payments: readonly Payment[],
  { dryRun = false, nameOf = () => '' }: { dryRun?: boolean; nameOf?: (index: number) => string } = {},
): Promise<PaidStatement[]> {
  const paid = await deps.database.db.transaction(async (tx: Db) => {
    const reasons: string[] = []
    const found: PaidStatement[] = []
    for (const [index, payment] of payments.entries()) {
      const checked = await recordPayment(tx, deps, payment, dryRun)
      if (typeof checked === 'string') reasons.push(`${nameOf(index)}${checked}`)
      else found.push(checked)
    }
    if (reasons.length > 0) throw new PaymentRefused(reasons)
    return found
  })
  if (!dryRun) deps.wakeMailSender()
  return paid
}

/** Records one payment, or returns why it cannot be recorded. */
async function recordPayment(
  tx: Db,
  deps: PaymentDeps,
  payment: Payment,
  dryRun: boolean,
): Promise<PaidStatement | string> {
  const now = deps.clock.now()
  const organisation = await findOrganisationByNumber(tx, payment.merchant)
  if (!organisation) return `There is no merchant ${payment.merchant}.`
  const statement = await findStatement(tx, organisation.id, payment.month)
  if (!statement) return `Merchant ${payment.merchant} has no statement for ${payment.month}.`
  const wrong = whyNot(statement, payment, singaporeDay(now))
  if (wrong !== undefined) return wrong
  const paid = { organisation, month: statement.month, totalCents: statement.totalCents }
  if (dryRun) return paid
  const { paidOn, reference } = payment
  // Another command may have been quicker.
  if (!(await setPaid(tx, statement, { paidOn, reference }))) return alreadyPaid(payment)
  const entry = {
    organisationId: organisation.id,
    action: 'payment.recorded' as const,
    subject: { type: 'statement' as const, id: statement.month, name: formatMonth(statement.month) },
    details: { amount_cents: statement.totalCents, paid_on: paidOn, reference },
  }
  await noteActivity(tx, { provider: true, via: 'command line' }, entry, now)
  const to = organisation.contactEmail ?? (await findMainAccount(tx, organisation.id))?.loginName
  if (to !== undefined) {
    const { name, contactName } = organisation
    const payment = { ...paid, organisation: name, contactName, paidOn, reference }
    await queueMail(tx, paymentMail(deps.settings, to, payment, now), now)
  }
  return paid
}

function whyNot(
  { month, totalCents, dueOn, paidOn, reference }: StatementRow,
  payment: Payment,
  today: string,
): string | undefined {
  const { cents = totalCents } = payment
  if (paidOn !== null) return `${alreadyPaid(payment)} It was on ${paidOn}, with the reference ${reference}.`
  if (dueOn === null)
    return `The total of ${payment.merchant} for ${month} is ${formatCents(totalCents)}: nothing is paid.`
  if (cents !== totalCents) {
    return `The total of ${payment.merchant} for ${month} is ${formatCents(totalCents)}, not ${formatCents(cents)}.`
  }
  if (payment.paidOn > today) return `${payment.paidOn} is after today, ${today}.`
  if (payment.paidOn <= lastDayOfMonth(month)) return `${payment.paidOn} is not after the end of ${month}.`
  return undefined
}

const alreadyPaid = ({ merchant, month }: Payment) => `The payment of ${merchant} for ${month} is recorded already.`
