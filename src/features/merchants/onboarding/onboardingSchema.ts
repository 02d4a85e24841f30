import * as v from 'valibot'
import { weekOf, weekValues, type WeekValues } from '../../../blocks/merchants/weekValues.ts'
import type { Upload } from '../../../blocks/uploads/Upload.ts'
import type { User } from '../../../contract/accounts/user.ts'
import { numberFromText } from '../../../contract/merchants/merchantFields.ts'
import { Onboarding, type OnboardingRecord } from '../../../contract/merchants/onboarding.ts'
import { quantity } from '../../../contract/wireFields.ts'
import { isListedBank } from '../../../domain/merchants/singaporeBanks.ts'

/**
 * The typed values, as a flat record. Names are the paths of the contract, so that an error of the schema or the server about
 * `bank_account.bank_code` appears at that field. A few names exist in this form only.
 */
export type OnboardingValues = WeekValues<'operating_hours'> & {
  organisation_name: string
  uen: string
  categories: readonly string[]
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
  /** True if the bank is not in the list, so that its name is typed. */
  other_bank: boolean
  'bank_account.bank_code': string
  'bank_account.branch_code': string
  merchant_agreement: Upload | null
}

/** Checks the typed values by the rules of the contract. */
export const OnboardingSchema = v.pipe(
  v.custom<OnboardingValues>((values) => typeof values === 'object'),
  v.transform(toContract),
  v.strictObject({
    ...Onboarding.entries,
    branches_in_singapore: numberFromText(quantity),
    pos_terminals: numberFromText(quantity),
  }),
)

function toContract(values: OnboardingValues) {
  const name = values['primary_contact.name']
  const email = values['primary_contact.email']
  return {
    organisation_name: values.organisation_name,
    uen: values.uen,
    categories: [...values.categories],
    operating_hours: weekOf('operating_hours', values),
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
      account_number: values['bank_account.account_number'],
      bank_name: values['bank_account.bank_name'],
      bank_code: values['bank_account.bank_code'],
      branch_code: values['bank_account.branch_code'],
    },
    merchant_agreement: values.merchant_agreement?.key ?? '',
  }
}

/** Returns the first values of the form: the earlier submission, or the facts about `user` from the application. */
export function initialOnboarding(
  record: OnboardingRecord | undefined,
  user: Pick<User, 'organisation_name' | 'login_name'>,
): OnboardingValues {
  const before = record?.onboarding ?? undefined
  const name = before?.organisation_name ?? record?.organisation_name ?? user.organisation_name
  return {
    organisation_name: name,
    uen: before?.uen ?? '',
    categories: before?.categories ?? [],
    ...weekValues('operating_hours', before?.operating_hours),
    branches_in_singapore: before ? String(before.branches_in_singapore) : '',
    pos_terminals: before ? String(before.pos_terminals) : '',
    ...contactValues(before, user.login_name),
    ...bankValues(before, name),
    merchant_agreement: agreementValue(record),
  }
}

function contactValues(before: Onboarding | undefined, loginEmail: string) {
  const { name = '', designation = '', contact_number = '', email = '' } = before?.primary_contact ?? {}
  const financial = before?.financial_contact
  return {
    'primary_contact.name': name,
    'primary_contact.designation': designation,
    'primary_contact.contact_number': contact_number,
    'primary_contact.email': before ? email : loginEmail,
    'financial_contact.name': financial?.name ?? '',
    'financial_contact.email': financial?.email ?? '',
    // Before the first submission, one person is both contacts until the merchant changes this.
    same_contact: financial === undefined || (financial.name === name && financial.email === email),
  }
}

/** Returns the first values of the bank account. Most accounts are in the organisation's own name. */
function bankValues(before: Onboarding | undefined, organisationName: string) {
  const account = before?.bank_account
  return {
    'bank_account.account_name': account?.account_name ?? organisationName,
    'bank_account.account_number': account?.account_number ?? '',
    'bank_account.bank_name': account?.bank_name ?? '',
    other_bank: account !== undefined && !isListedBank(account.bank_name),
    'bank_account.bank_code': account?.bank_code ?? '',
    'bank_account.branch_code': account?.branch_code ?? '',
  }
}

function agreementValue(record: OnboardingRecord | undefined): Upload | null {
  const key = record?.onboarding?.merchant_agreement
  return key !== undefined && record?.merchant_agreement ? { key, ...record.merchant_agreement } : null
}
