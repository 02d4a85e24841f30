import { type ErrorsByPath, schemaErrors } from '../../ui/form/formErrors.ts'
import type { FormView } from '../../ui/form/useForm.ts'
import { OnboardingSchema, type OnboardingValues } from '../merchants/onboarding/onboardingSchema.ts'

/** Everything that still stands against submitting, seen by the person or not. */
export function openIssues(values: OnboardingValues): ErrorsByPath {
  const issues = Object.entries(schemaErrors(OnboardingSchema, values))
  return Object.fromEntries(issues.filter(([path]) => !isRepeated(path, values)))
}

/** As the summary says them: once each, and with the day where the words alone do not tell it. */
export const summaryErrors = (errors: FormView['errors'], values: OnboardingValues): FormView['errors'] =>
  errors
    .filter(({ name }) => !isRepeated(name, values))
    .map(({ id, name, message }) => ({ id, name, message: withDay(name, message) }))

function withDay(name: string, message: string): string {
  const day = /^operating_hours\.(\w+)\./.exec(name)?.[1]
  return day === undefined || message.startsWith('must ') ? message : `${day}: ${message}`
}

/** One contact for both: what is wrong with it is said of the primary contact. */
const isRepeated = (path: string, { same_contact }: OnboardingValues) =>
  same_contact && path.startsWith('financial_contact.')
