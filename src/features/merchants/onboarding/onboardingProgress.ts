import { schemaErrors, type ErrorsByPath } from '../../../ui/form/formErrors.ts'
import type { FormView } from '../../../ui/form/useForm.ts'
import { OnboardingSchema, type OnboardingValues } from './onboardingSchema.ts'

export interface OnboardingSection {
  id: string
  title: string
  /** The paths of the section's fields. A path includes all paths below it. */
  paths: readonly string[]
}

/** The sections, in the order in which the page shows and numbers them. */
export const ONBOARDING_SECTIONS = [
  { id: 'organisation', title: 'Organisation', paths: ['organisation_name', 'uen'] },
  { id: 'product', title: 'Product or service', paths: ['categories'] },
  { id: 'hours', title: 'Operating hours', paths: ['operating_hours'] },
  { id: 'terminals', title: 'Branches and terminals', paths: ['branches_in_singapore', 'pos_terminals'] },
  { id: 'contacts', title: 'Contacts', paths: ['primary_contact', 'financial_contact'] },
  { id: 'bank', title: 'Bank account', paths: ['bank_account'] },
  { id: 'agreement', title: 'Merchant agreement', paths: ['merchant_agreement'] },
] as const satisfies readonly OnboardingSection[]

/** Returns how many of these errors are in the section. */
export const errorsIn = ({ paths }: OnboardingSection, errors: ErrorsByPath): number =>
  Object.keys(errors).filter((name) => paths.some((path) => isWithin(name, path))).length

const isWithin = (name: string, path: string) => name === path || name.startsWith(`${path}.`)

/** Returns every error that keeps the form from being submitted, shown or not. */
export function openIssues(values: OnboardingValues): ErrorsByPath {
  const issues = Object.entries(schemaErrors(OnboardingSchema, values))
  return Object.fromEntries(issues.filter(([path]) => !isRepeated(path, values)))
}

/** Returns the errors for the summary, each once. An error in the hours names its day. */
export const summaryErrors = (errors: FormView['errors'], values: OnboardingValues): FormView['errors'] =>
  errors
    .filter(({ name }) => !isRepeated(name, values))
    .map(({ id, name, message }) => ({ id, name, message: withDay(name, message) }))

function withDay(name: string, message: string): string {
  const day = /^operating_hours\.(\w+)\./.exec(name)?.[1]
  return day === undefined || message.startsWith('must ') ? message : `${day}: ${message}`
}

/** True for an error of the financial contact that the primary contact shows already, because they are the same person. */
const isRepeated = (path: string, { same_contact }: OnboardingValues) =>
  same_contact && path.startsWith('financial_contact.')
