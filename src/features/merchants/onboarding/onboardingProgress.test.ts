import { expect, it } from 'vitest'
import { missingIn, ONBOARDING_SECTIONS, openIssues } from './onboardingProgress.ts'
import { initialOnboarding, type OnboardingValues } from './onboardingSchema.ts'

const USER = { organisation_name: 'Kopi & Grain Pte. Ltd.', login_name: 'main@kopi.example' }

/** What each section names, by its id. */
const missing = (values: OnboardingValues) =>
  Object.fromEntries(ONBOARDING_SECTIONS.map((section) => [section.id, missingIn(section, openIssues(values))]))

it('a new form knows the names, the email and one contact for both, and names all other answers', () => {
  expect(missing(initialOnboarding(undefined, USER))).toEqual({
    organisation: ['UEN'],
    product: ['a product or service'],
    hours: ['operating hours'],
    terminals: ['number of branches', 'number of POS terminals'],
    contacts: ['name', 'designation', 'contact number'],
    bank: ['account number', 'bank', 'bank code', 'branch code'],
    agreement: ['signed agreement'],
  })
})

it('a financial contact of its own is named until it is answered, and a wrong answer is still missing', () => {
  const begun = { ...initialOnboarding(undefined, USER), same_contact: false, uen: '2018' }
  expect(missing(begun)).toMatchObject({
    organisation: ['UEN'],
    contacts: [
      'name',
      'designation',
      'contact number',
      'name of the financial contact',
      'email of the financial contact',
    ],
  })
  expect(missing({ ...begun, uen: '201834567W' })['organisation']).toEqual([])
})
