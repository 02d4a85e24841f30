import { call } from '../../api/call.ts'
import {
  checkBranches,
  checkPosUsers,
  importBranches,
  ImportedBranch,
  ImportedPosUser,
  importPosUsers,
} from '../../contract/imports.ts'
import type { OperatingHours } from '../../contract/merchants/onboarding.ts'
import { withLostZero } from '../../contract/merchants/singaporeNumbers.ts'
import type { Option } from '../../contract/tables/tableQuery.ts'
import { isWeakPin } from '../../domain/branches.ts'
import type { Cells, ImportColumn, ImportKind, Notes } from './ImportKind.ts'
import { parseOperatingHours } from './parseOperatingHours.ts'
import { readDay } from './readDays.ts'
import { validateBySchema } from './validateRows.ts'

const BRANCH_COLUMNS: readonly ImportColumn[] = [
  { key: 'name', title: 'Branch name', synonyms: ['Name', 'Branch'], needed: true, width: 13, prose: true },
  { key: 'code', title: 'Branch code', synonyms: ['Code'], needed: true, width: 13, unique: true, prose: true },
  {
    key: 'email',
    title: 'Login email',
    synonyms: ['Email', 'Login'],
    needed: true,
    width: 15,
    unique: true,
    prose: true,
  },
  { key: 'business.address', title: 'Address', needed: true, width: 16, prose: true },
  { key: 'business.postal_code', title: 'Postal code', synonyms: ['Postcode', 'Zip'], needed: true, width: 8 },
  {
    key: 'business.contact_number',
    title: 'Contact number',
    synonyms: ['Phone', 'Branch contact number'],
    needed: true,
    width: 10,
  },
  {
    key: 'financial_contact.name',
    title: 'Financial contact name',
    synonyms: ['Financial contact', 'Finance name'],
    needed: true,
    width: 13,
    prose: true,
  },
  {
    key: 'financial_contact.email',
    title: 'Financial contact email',
    synonyms: ['Finance email'],
    needed: true,
    width: 15,
    prose: true,
  },
  {
    key: 'financial_contact.contact_number',
    title: 'Financial contact number',
    synonyms: ['Finance contact number', 'Financial contact phone'],
    needed: true,
    width: 12,
  },
  { key: 'pin', title: 'Branch PIN', synonyms: ['PIN'], needed: true, width: 8, secret: true },
  {
    key: 'business.operating_hours',
    title: 'Operating hours',
    synonyms: ['Hours', 'Opening hours'],
    needed: false,
    width: 16,
    prose: true,
  },
  { key: 'from_day', title: 'First day', synonyms: ['From'], needed: false, width: 9, day: true },
  { key: 'to_day', title: 'Last day', synonyms: ['To', 'Until'], needed: false, width: 9, day: true },
]

const MASTER_COLUMN: ImportColumn = {
  key: 'master_guid',
  title: 'Managed by',
  synonyms: ['Master'],
  needed: false,
  width: 13,
  prose: true,
}

/** `masters`: those that a branch can be given to, by name; undefined for a person who may not see them. */
export const branchImport = (
  merchantId: string,
  masters: readonly Option[] | undefined,
): ImportKind<ImportedBranch> => ({
  key: 'branches',
  title: 'Import branches',
  noun: { one: 'branch', many: 'branches' },
  note: 'Each row becomes a branch with its own login, which is invited by email.',
  columns: masters ? [...BRANCH_COLUMNS, MASTER_COLUMN] : BRANCH_COLUMNS,
  validate(cells) {
    const named = masters && masterNamed(masters, cells['master_guid'] ?? '')
    const weak = /^\d{6}$/.test(cells['pin'] ?? '') && isWeakPin(cells['pin']!, merchantId)
    const postalCode = withLostZero(cells['business.postal_code'] ?? '')
    const warnings: Notes = {
      ...(weak ? { pin: 'This PIN is easy to guess.' } : {}),
      ...(postalCode ? { 'business.postal_code': `Read as ${postalCode}. Spreadsheets drop the first 0.` } : {}),
    }
    const hours = hoursOf(cells['business.operating_hours'] ?? '')
    const validated = validateBySchema(ImportedBranch, branchBody(cells, named?.guid ?? null, hours ?? null), warnings)
    const errors = {
      ...(named?.error ? { master_guid: named.error } : {}),
      ...(hours === undefined ? { 'business.operating_hours': HOURS_NOT_READ } : {}),
      ...unreadDays(cells),
    }
    if (Object.keys(errors).length === 0) return validated
    return { record: undefined, errors: { ...validated.errors, ...errors }, warnings }
  },
  check: async (import_id, rows) => (await call(checkBranches, { body: { import_id, rows: [...rows] } })).rows,
  commit: async (import_id, rows) => (await call(importBranches, { body: { import_id, rows: [...rows] } })).rows,
  givesPasswords: false,
})

const HOURS_NOT_READ = 'Write hours like this: Mon–Fri 11:00–15:00 and 17:00–22:00, Sat 18:00–02:00, Sun closed.'

/** Of a cell: `null` for those of the organisation, undefined for what cannot be read. */
const hoursOf = (cell: string): OperatingHours | null | undefined =>
  cell.trim() === '' ? null : parseOperatingHours(cell)

/** Days that are there and not understood. */
const unreadDays = (cells: Cells): Notes =>
  Object.fromEntries(
    BRANCH_COLUMNS.filter(({ key, day }) => day && cells[key] && readDay(cells[key]) === undefined).map(({ key }) => [
      key,
      'Write it as 2026-12-01.',
    ]),
  )

/** A row with a day is an adhoc branch. */
function branchBody(cells: Cells, master_guid: string | null, operating_hours: OperatingHours | null) {
  const at = (key: string) => cells[key] ?? ''
  const dayAt = (key: string) => readDay(at(key)) ?? at(key)
  const dated = at('from_day') !== '' || at('to_day') !== ''
  return {
    kind: dated ? 'adhoc' : 'permanent',
    name: at('name'),
    code: at('code'),
    email: at('email'),
    business: {
      address: at('business.address'),
      postal_code: withLostZero(at('business.postal_code')) ?? at('business.postal_code'),
      contact_number: at('business.contact_number'),
      operating_hours,
    },
    financial_contact: {
      name: at('financial_contact.name'),
      email: at('financial_contact.email'),
      contact_number: at('financial_contact.contact_number'),
    },
    master_guid,
    pin: at('pin'),
    ...(dated ? { from_day: dayAt('from_day'), to_day: dayAt('to_day') } : {}),
  }
}

function masterNamed(masters: readonly Option[], typed: string): { guid: string | null; error?: string } {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '' || wanted === 'main account') return { guid: null }
  const [found, second] = masters.filter(({ name }) => name.toLowerCase() === wanted)
  if (!found) return { guid: null, error: 'No master has this name.' }
  return second ? { guid: null, error: 'Two masters have this name.' } : { guid: found.guid }
}

const USERNAME_COLUMN: ImportColumn = {
  key: 'username',
  title: 'Username',
  synonyms: ['POS user', 'Login', 'User'],
  needed: true,
  width: 18,
  unique: true,
  prose: true,
}

const BRANCH_CODE_COLUMN: ImportColumn = {
  key: 'branch_code',
  title: 'Branch code',
  synonyms: ['Branch', 'Code'],
  needed: true,
  width: 12,
  prose: true,
}

/** `ofBranch`: a branch imports its own POS users, so the file has no column for the branch. */
export const posImport = (ofBranch: boolean): ImportKind<ImportedPosUser> => ({
  key: 'pos-users',
  title: 'Import POS users',
  noun: { one: 'POS user', many: 'POS users' },
  note: 'Each row becomes a POS user with a temporary password, which the cashier replaces at the first login.',
  columns: ofBranch ? [USERNAME_COLUMN] : [USERNAME_COLUMN, BRANCH_CODE_COLUMN],
  validate: (cells) =>
    validateBySchema(
      ImportedPosUser,
      { username: cells['username'] ?? '', branch_code: ofBranch ? null : (cells['branch_code'] ?? '') },
      {},
    ),
  check: async (import_id, rows) => (await call(checkPosUsers, { body: { import_id, rows: [...rows] } })).rows,
  commit: async (import_id, rows) => (await call(importPosUsers, { body: { import_id, rows: [...rows] } })).rows,
  givesPasswords: true,
})
