import * as v from 'valibot'
import { quantity, typedNumber } from '../../contract/bricks.ts'
import type { Upload } from '../../blocks/upload/Upload.ts'
import { Onboarding, WEEKDAYS, type OperatingHours, type Weekday } from '../../contract/onboarding.ts'
import { timeOfDay } from '../../domain/timeOfDay.ts'

type TimeName = `operating_hours.${Weekday}.${'opens' | 'closes'}`

/**
 * What the person sees and types, flat. The names are the paths of the contract, so that what the schema or the server says
 * about `bank_account.bank_code` stands at that control. The few others are only of this form.
 */
export type OnboardingValues = Record<TimeName, string> & {
  organisation_name: string
  uen: string
  categories: readonly string[]
  /** The open days. What is said about the week as a whole stands at them. */
  operating_hours: readonly Weekday[]
  branches_in_singapore: string
  pos_terminals: string
  'primary_contact.name': string
  'primary_contact.designation': string
  'primary_contact.contact_number': string
  'primary_contact.email': string
  'financial_contact.name': string
  'financial_contact.email': string
  same_contact: boolean
  'bank_account.account_name': string
  'bank_account.account_number': string
  'bank_account.bank_name': string
  /** The bank is typed, not chosen. */
  other_bank: boolean
  'bank_account.bank_code': string
  'bank_account.branch_code': string
  merchant_agreement: Upload | null
}

/** The contract's rules over what was typed. */
export const OnboardingFields = v.pipe(
  v.custom<OnboardingValues>((values) => typeof values === 'object'),
  v.transform(asTyped),
  v.strictObject({
    ...Onboarding.entries,
    branches_in_singapore: typedNumber(quantity),
    pos_terminals: typedNumber(quantity),
  }),
)

function asTyped(values: OnboardingValues) {
  const name = values['primary_contact.name']
  const email = values['primary_contact.email']
  return {
    organisation_name: values.organisation_name,
    uen: values.uen,
    categories: [...values.categories],
    operating_hours: weekOf(values),
    branches_in_singapore: values.branches_in_singapore,
    pos_terminals: values.pos_terminals,
    primary_contact: {
      name,
      designation: values['primary_contact.designation'],
      contact_number: values['primary_contact.contact_number'],
      email,
    },
    financial_contact: values.same_contact
      ? { name, email }
      : { name: values['financial_contact.name'], email: values['financial_contact.email'] },
    bank_account: {
      account_name: values['bank_account.account_name'],
      // Banks print it in groups, and people type what is printed.
      account_number: values['bank_account.account_number'].replaceAll(/[\s-]/g, ''),
      bank_name: values['bank_account.bank_name'],
      bank_code: values['bank_account.bank_code'],
      branch_code: values['bank_account.branch_code'],
    },
    merchant_agreement: values.merchant_agreement?.key ?? '',
  }
}

function weekOf(values: OnboardingValues): OperatingHours {
  const hoursOf = (day: Weekday) => ({
    opens: timeOfDay(values[`operating_hours.${day}.opens`]),
    closes: timeOfDay(values[`operating_hours.${day}.closes`]),
  })
  const days = WEEKDAYS.map((day) => [day, values.operating_hours.includes(day) ? hoursOf(day) : null])
  return Object.fromEntries(days) as OperatingHours
}
