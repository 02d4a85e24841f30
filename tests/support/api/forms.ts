import { randomUUID } from 'node:crypto'

// Bodies as the portal's forms send them: valid, and new each time.

export const freshEmail = (): string => `${randomUUID()}@test.example`

const HOURS = { opens: '09:00', closes: '21:30' }

export const business = {
  address: '4 Tampines Central 5, #02-14',
  postal_code: '529510',
  contact_number: '+65 6555 0142',
  operating_hours: {
    Monday: HOURS,
    Tuesday: HOURS,
    Wednesday: HOURS,
    Thursday: HOURS,
    Friday: HOURS,
    Saturday: HOURS,
    Sunday: null,
  },
}

export const financialContact = { name: 'Nadia Rahim', email: 'nadia@test.example', contact_number: '+65 6555 0143' }

export const PIN = '482913'

/** The body of POST /branch. */
export const branchForm = (given: object = {}) => ({
  name: 'Tampines Central',
  code: randomUUID().slice(0, 8).toUpperCase(),
  email: freshEmail(),
  business,
  financial_contact: financialContact,
  master_guid: null as string | null,
  pin: PIN,
  ...given,
})

/** The body of PUT /branch/{id}. It has a PIN only to change it. */
export function branchEdit(revision: number, given: object = {}) {
  const { pin: _pin, ...form } = branchForm()
  return { ...form, revision, ...given }
}

export const DAYS = { from_day: '2026-11-20', to_day: '2026-11-23' }

/** A row of an imported file in the body of POST /branch/import. */
export const branchRecord = (given: object = {}) => ({ kind: 'permanent' as string, ...branchForm(given) })

/** A row in the body of POST /pos/import, for the branch of a Branch Merchant. */
export const posRecord = (given: object = {}) => ({
  username: randomUUID() as string,
  branch_code: null as string | null,
  ...given,
})

/** One batch of an import, from its first row on. */
export const importOf = <R>(...records: R[]) => ({
  dry_run: false,
  rows: records.map((record, index) => ({ number: index + 1, record })),
})

export const masterForm = (given: object = {}) => ({ name: 'East Region Master', email: freshEmail(), ...given })

/** The body of PUT /merchant/main/{id}. */
export const organisationProfile = (revision: number, given: object = {}) => ({
  company_name: 'Kopi & Grain Pte. Ltd.',
  address: '4 Tampines Central 5, Singapore 529510',
  contact_name: 'Tan Wei Ling',
  contact_number: '+65 6555 0100',
  contact_email: 'office@test.example',
  verification_method: 'Serial',
  monthly_summary_enabled: true,
  recipients: 'a@test.example, b@test.example',
  revision,
  ...given,
})

/** The body of PUT /merchant/branch/{id} and /merchant/master/{id}. */
export const accountProfile = (revision: number, given: object = {}) => ({
  name: 'East Region Master',
  contact_name: 'Ravi Kumar',
  contact_number: '+65 6555 0111',
  revision,
  ...given,
})
