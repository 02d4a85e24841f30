import type { Onboarding, OnboardingRecord } from '../../contract/onboarding.ts'
import { weekValues } from '../../blocks/merchants/weekValues.ts'
import type { Upload } from '../../blocks/uploads/Upload.ts'
import { isListedBank } from '../../domain/singaporeBanks.ts'
import type { OnboardingValues } from '../merchants/onboarding/onboardingSchema.ts'

/** The form as it comes: what was submitted before, or the name of the application and nothing else. */
export function initialOnboarding(record: OnboardingRecord | undefined, organisationName: string): OnboardingValues {
  const before = record?.onboarding ?? undefined
  return {
    organisation_name: before?.organisation_name ?? record?.organisation_name ?? organisationName,
    uen: before?.uen ?? '',
    categories: before?.categories ?? [],
    ...weekValues('operating_hours', before?.operating_hours),
    branches_in_singapore: before ? String(before.branches_in_singapore) : '',
    pos_terminals: before ? String(before.pos_terminals) : '',
    ...contactValues(before),
    ...bankValues(before),
    merchant_agreement: agreementValue(record),
  }
}

function contactValues(before: Onboarding | undefined) {
  const { name = '', designation = '', contact_number = '', email = '' } = before?.primary_contact ?? {}
  const financial = before?.financial_contact
  return {
    'primary_contact.name': name,
    'primary_contact.designation': designation,
    'primary_contact.contact_number': contact_number,
    'primary_contact.email': email,
    'financial_contact.name': financial?.name ?? '',
    'financial_contact.email': financial?.email ?? '',
    same_contact: financial !== undefined && financial.name === name && financial.email === email,
  }
}

function bankValues(before: Onboarding | undefined) {
  const account = before?.bank_account
  return {
    'bank_account.account_name': account?.account_name ?? '',
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
