import { randomUUID } from 'node:crypto'
import { listCategories } from '../../../server/db/merchants/onboardings.ts'
import type { UploadOwner } from '../../../server/db/uploads.ts'
import type { Deps } from '../../../server/Deps.ts'
import { giveProof } from '../../../server/services/accounts/captcha/verifyCaptcha.ts'
import { TERMS_VERSION, type Brand, type MerchantApplication } from '../../../src/contract/merchants/application.ts'
import type { Onboarding } from '../../../src/contract/merchants/onboarding.ts'
import { makeUpload } from '../uploads/makeUpload.ts'

// Applications and onboardings as merchants send them. Files and proofs are made without their endpoints, which have limits and tests of their own.

/** Returns a proof as the captcha gives it. */
export async function signupProof(deps: Deps): Promise<string> {
  return (await giveProof(deps, 'signup', randomUUID(), deps.clock.now())).proof
}

export async function makeBrand(deps: Deps, given: Partial<Brand> = {}): Promise<Brand> {
  return {
    name: 'Kopi & Grain',
    website: 'https://kopi.example',
    logo: given.logo ?? (await makeUpload(deps, 'public', 'brand_logo')),
    outlet_type: 'All outlets',
    non_participating_outlets: [],
    outlets_participating: 5,
    terminal_types: ['Smart device with internet'],
    industry_type: 'Food and beverage',
    contact_name: 'Tan Mei Lin',
    contact_designation: 'Operations Manager',
    contact_number: '+65 6555 0140',
    contact_email: 'meilin@kopi.example',
    ...given,
  }
}

export async function makeApplication(
  deps: Deps,
  given: Partial<MerchantApplication> = {},
): Promise<MerchantApplication> {
  return {
    id: randomUUID(),
    role: 'hrp',
    email: `applicant-${randomUUID()}@test.example`,
    organisation_name: 'Kopi & Grain Pte. Ltd.',
    website: null,
    office_address: '1 Tampines Central 5',
    postal_code: '529508',
    brands: given.brands ?? [await makeBrand(deps)],
    hpb_partnership: true,
    credit_terms_days: 30,
    terms_accepted: true,
    terms_version: TERMS_VERSION,
    ...given,
  }
}

const OPEN = { opens: '08:00', closes: '21:30' }

/** Makes the first onboarding of `owner`, with a new agreement unless one is given. */
export async function makeOnboarding(
  deps: Deps,
  owner: Exclude<UploadOwner, 'public'>,
  given: Partial<Onboarding> = {},
): Promise<Onboarding> {
  const [category] = await listCategories(deps.database.db)
  return {
    organisation_name: 'KOPI & GRAIN PTE. LTD.',
    uen: '201834567W',
    categories: [category!.guid],
    operating_hours: {
      Monday: OPEN,
      Tuesday: OPEN,
      Wednesday: OPEN,
      Thursday: OPEN,
      Friday: OPEN,
      Saturday: { opens: '09:00', closes: '22:30' },
      Sunday: null,
    },
    branches_in_singapore: 5,
    pos_terminals: 12,
    primary_contact: {
      name: 'Tan Mei Lin',
      designation: 'Operations Manager',
      contact_number: '+65 6555 0140',
      email: 'meilin@kopi.example',
    },
    financial_contact: { name: 'Nadia Rahim', email: 'nadia@kopi.example' },
    bank_account: {
      account_name: 'Kopi & Grain Pte. Ltd.',
      account_number: '0012345678',
      bank_name: 'DBS Bank',
      bank_code: '7171',
      branch_code: '001',
    },
    merchant_agreement: given.merchant_agreement ?? (await makeUpload(deps, owner, 'merchant_agreement')),
    ...given,
  }
}
