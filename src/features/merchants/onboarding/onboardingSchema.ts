import * as v from 'valibot'
import { quantity, numberFromText } from '../../../contract/fieldSchemas.ts'
import { weekOf, type WeekValues } from '../../../blocks/merchants/weekValues.ts'
import type { Upload } from '../../../blocks/uploads/Upload.ts'
import { Onboarding } from '../../../contract/onboarding.ts'

/**
 * What the person sees and types, flat. The names are the paths of the contract, so that what the schema or the server says
 * about `bank_account.bank_code` stands at that control. The few others are only of this form.
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
  /** The bank is typed, not chosen. */
  other_bank: boolean
  'bank_account.bank_code': string
  'bank_account.branch_code': string
  merchant_agreement: Upload | null
}

/** The contract's rules over what was typed. */
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
      // Banks print it in groups, and people type what is printed.
      account_number: values['bank_account.account_number'].replaceAll(/[\s-]/g, ''),
      bank_name: values['bank_account.bank_name'],
      bank_code: values['bank_account.bank_code'],
      branch_code: values['bank_account.branch_code'],
    },
    merchant_agreement: values.merchant_agreement?.key ?? '',
  }
}
