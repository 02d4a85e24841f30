import type { Option } from '../../contract/tables/tableQuery.ts'
import { WEEKDAYS } from '../../contract/onboarding.ts'
import { formatDay } from '../../domain/singaporeTime.ts'
import { type BranchValues, WEEK } from './branchFields.ts'

const TIME_LABELS = WEEKDAYS.flatMap((day) => [
  [`${WEEK}.${day}.opens`, `${day} opens`],
  [`${WEEK}.${day}.closes`, `${day} closes`],
])

/** The fields as two versions of a branch are laid beside each other, in the order of the form. */
export const BRANCH_FIELD_LABELS: Partial<Record<keyof BranchValues, string>> = {
  name: 'Branch name',
  code: 'Branch code',
  'business.address': 'Address',
  'business.postal_code': 'Postal code',
  'business.contact_number': 'Contact number',
  from_day: 'First day',
  to_day: 'Last day',
  own_hours: 'Operating hours',
  [WEEK]: 'Open days',
  ...Object.fromEntries(TIME_LABELS),
  'financial_contact.name': 'Financial contact: Name',
  'financial_contact.email': 'Financial contact: Email',
  'financial_contact.contact_number': 'Financial contact: Contact number',
  master_guid: 'Managed by',
  email: 'Login email',
}

/** A value of the form in words. */
export const branchValueText =
  (masters: readonly Option[]) =>
  (name: string, value: unknown): string => {
    if (name === 'own_hours') return value ? 'Its own' : 'Those of the organisation'
    if (name === 'master_guid') return masterName(masters, String(value))
    if (Array.isArray(value)) return value.length === 0 ? 'None' : value.join(', ')
    if (value === '') return 'Empty'
    return name === 'from_day' || name === 'to_day' ? formatDay(String(value)) : String(value)
  }

function masterName(masters: readonly Option[], guid: string): string {
  if (guid === '') return 'Main account'
  return masters.find((master) => master.guid === guid)?.name ?? 'Another master'
}
