import type { ErrorsByPath } from '../../../ui/form/formErrors.ts'

export interface OnboardingSection {
  id: string
  title: string
  /** Paths that belong to it, with all below them. */
  paths: readonly string[]
}

/** In the order of the page; their numbers are their places. */
export const ONBOARDING_SECTIONS = [
  { id: 'organisation', title: 'Organisation', paths: ['organisation_name', 'uen'] },
  { id: 'product', title: 'Product or service', paths: ['categories'] },
  { id: 'hours', title: 'Operating hours', paths: ['operating_hours'] },
  { id: 'terminals', title: 'Branches and terminals', paths: ['branches_in_singapore', 'pos_terminals'] },
  { id: 'contacts', title: 'Contacts', paths: ['primary_contact', 'financial_contact'] },
  { id: 'bank', title: 'Bank account', paths: ['bank_account'] },
  { id: 'agreement', title: 'Merchant agreement', paths: ['merchant_agreement'] },
] as const satisfies readonly OnboardingSection[]

/** How many of these errors stand in the section. */
export const errorsIn = ({ paths }: OnboardingSection, errors: ErrorsByPath): number =>
  Object.keys(errors).filter((name) => paths.some((path) => name === path || name.startsWith(`${path}.`))).length
