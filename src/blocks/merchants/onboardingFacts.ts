import type { Onboarding } from '../../contract/merchants/onboarding.ts'
import { formatOperatingHours } from '../../domain/operatingHours.ts'
import type { Fact } from '../../ui/Panel.tsx'

type Without<K extends keyof Onboarding> = Omit<Onboarding, K>

/** An onboarding in words, by section, for the person who submits it and the one who decides. The names are those of rule 5.6. */
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
  } satisfies Record<string, readonly Fact[]>
}
