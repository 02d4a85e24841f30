import { expect, it } from 'vitest'
import { errorsIn, ONBOARDING_SECTIONS, openIssues } from './onboardingProgress.ts'
import { initialOnboarding, type OnboardingValues } from './onboardingSchema.ts'

const USER = { organisation_name: 'Kopi & Grain Pte. Ltd.', login_name: 'main@kopi.example' }

/** How many answers each section lacks, by its id. */
const missing = (values: OnboardingValues) =>
  Object.fromEntries(ONBOARDING_SECTIONS.map((section) => [section.id, errorsIn(section, openIssues(values))]))

it('a new form knows the names, the email and one contact for both, and lacks all other answers', () => {
  const { hours, ...others } = missing(initialOnboarding(undefined, USER))
  expect(hours).toBeGreaterThan(0)
  expect(others).toEqual({ organisation: 1, product: 1, terminals: 2, contacts: 3, bank: 4, agreement: 1 })
})

it('a financial contact of its own counts until it is answered, and a wrong answer is still missing', () => {
  const begun = { ...initialOnboarding(undefined, USER), same_contact: false, uen: '2018' }
  expect(missing(begun)).toMatchObject({ organisation: 1, contacts: 5 })
  expect(missing({ ...begun, uen: '201834567W' })['organisation']).toBe(0)
})
