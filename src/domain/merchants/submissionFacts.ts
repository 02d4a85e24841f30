import type { Brand, MerchantApplication } from '../../contract/merchants/application.ts'
import type { Onboarding } from '../../contract/merchants/onboarding.ts'
import { formatOperatingHours } from '../operatingHours.ts'
import { pluralize } from '../quantities.ts'

/** A name and its value. An array is a value of several lines. */
export type SubmissionFact<T = string> = readonly [name: string, value: T | string | readonly string[]]

type Without<K extends keyof Onboarding> = Omit<Onboarding, K>

/** Describes an onboarding by section, for the person who submits it and the one who decides. The names are those of rule 5.6. */
export function onboardingFacts(given: Without<'merchant_agreement'>, categoryNames: readonly string[]) {
  const { primary_contact: primary, financial_contact: financial, bank_account: bank } = given
  return {
    organisation: [
      ['Organisation name per ACRA', given.organisation_name],
      ['Company registration number (UEN)', given.uen],
    ],
    product: [['Product or service', categoryNames.join(', ')]],
    hours: [['Operating hours and days', formatOperatingHours(given.operating_hours)]],
    terminals: [
      ['Number of branches in Singapore', String(given.branches_in_singapore)],
      ['Number of POS terminals', String(given.pos_terminals)],
    ],
    contacts: [
      ['Primary contact', [`${primary.name}, ${primary.designation}`, `${primary.contact_number}, ${primary.email}`]],
      ['Financial contact', [financial.name, financial.email]],
    ],
    bank: [
      [
        'Bank account',
        [
          bank.account_name,
          `${bank.bank_name}, account ${bank.account_number}`,
          `Bank code ${bank.bank_code}, branch code ${bank.branch_code}`,
        ],
      ],
    ],
  } satisfies Record<string, readonly SubmissionFact[]>
}

/** Describes an application without its brands. `showWebsite` makes an address readable, such as a link on a page. */
export const applicationFacts = <T>(
  given: MerchantApplication,
  showWebsite: (address: string) => T,
): SubmissionFact<T>[] => [
  ['Organisation name', given.organisation_name],
  ['Login email', given.email],
  ['Website', websiteOf(given, showWebsite)],
  ['Office address', [given.office_address, `Singapore ${given.postal_code}`]],
  ['HPB partnership', given.hpb_partnership ? 'Yes' : 'No'],
  ['Credit terms', pluralize(given.credit_terms_days, 'day')],
  ['Terms and conditions', `Accepted, version ${given.terms_version}`],
]

/** Describes a brand of an application, except its name. */
export const brandFacts = <T>(brand: Brand, showWebsite: (address: string) => T): SubmissionFact<T>[] => [
  ['Website', websiteOf(brand, showWebsite)],
  ['Industry type', brand.industry_type],
  ['Outlets', outletsOf(brand)],
  ['Outlets participating', String(brand.outlets_participating)],
  ['Cashier terminal types', brand.terminal_types],
  [
    'Contact person',
    [`${brand.contact_name}, ${brand.contact_designation}`, `${brand.contact_number}, ${brand.contact_email}`],
  ],
]

const outletsOf = ({ outlet_type, non_participating_outlets: excluded }: Brand) =>
  excluded.length === 0 ? outlet_type : [`${outlet_type}:`, ...excluded]

const websiteOf = <T>({ website }: { website: string | null }, showWebsite: (address: string) => T) =>
  website === null ? '–' : showWebsite(website)
