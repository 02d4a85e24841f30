import * as v from 'valibot'
import { call } from '../../api/call.ts'
import {
  ImportedBranch,
  ImportedPosUser,
  importBranches,
  importPosUsers,
  type ImportAnswer,
} from '../../contract/imports.ts'
import type { OperatingHours } from '../../contract/merchants/onboarding.ts'
import { withLostZero } from '../../contract/merchants/singaporeNumbers.ts'
import type { Option } from '../../contract/tables/tableQuery.ts'
import { isWeakPin } from '../../domain/branches.ts'
import { schemaErrors } from '../../ui/form/formErrors.ts'
import { parseOperatingHours } from './parseOperatingHours.ts'
import { readDay } from './readDays.ts'

export interface ImportColumn {
  /** The path of the field in the contract. */
  key: string
  title: string
  /** Other headers for this column. */
  synonyms: readonly string[]
  /** A file without this column is refused. */
  needed: boolean
  /** Set if no two rows may have the same value. */
  unique?: true
  /** Digits, or a calendar day in a format of spreadsheets. Free text has no type: a spreadsheet may have damaged it. */
  type?: 'digits' | 'day'
}

/** The values of the file, by the key of their column. */
export type Cells = Readonly<Record<string, string>>
/** Messages about cells, by the key of their column. */
export type Notes = Readonly<Record<string, string>>

export interface ValidatedCells<R> {
  /** The record in the contract's form; undefined while there is an error. */
  record: R | undefined
  errors: Notes
  /** A row with warnings can still be imported. */
  warnings: Notes
}

/** A kind of record that can be imported from a file: how its rows are read, validated and sent. */
export interface ImportKind<R = unknown> {
  /** The start of the names of files that the import saves. */
  key: string
  title: string
  noun: { one: string; many: string }
  /** The text below the title. It says what a row becomes. */
  note: string
  columns: readonly ImportColumn[]
  validate(cells: Cells): ValidatedCells<R>
  /** Throws ApiError. */
  send(body: { dry_run: boolean; rows: { number: number; record: R }[] }): Promise<{ rows: ImportAnswer[] }>
  /** True if the server answers each row with a temporary password. */
  givesPasswords: boolean
}

const column = (
  key: string,
  title: string,
  synonyms: readonly string[] = [],
  more: Partial<ImportColumn> = {},
): ImportColumn => ({ key, title, synonyms, needed: true, ...more })

const DIGITS = { type: 'digits' } as const
const DAY = { needed: false, type: 'day' } as const

const BRANCH_COLUMNS: readonly ImportColumn[] = [
  column('name', 'Branch name', ['Name', 'Branch']),
  column('code', 'Branch code', ['Code'], { unique: true }),
  column('email', 'Login email', ['Email', 'Login'], { unique: true }),
  column('business.address', 'Address'),
  column('business.postal_code', 'Postal code', ['Postcode', 'Zip'], DIGITS),
  column('business.contact_number', 'Contact number', ['Phone', 'Branch contact number'], DIGITS),
  column('financial_contact.name', 'Financial contact name', ['Financial contact', 'Finance name']),
  column('financial_contact.email', 'Financial contact email', ['Finance email']),
  column(
    'financial_contact.contact_number',
    'Financial contact number',
    ['Finance contact number', 'Financial contact phone'],
    DIGITS,
  ),
  column('pin', 'Branch PIN', ['PIN'], DIGITS),
  column('business.operating_hours', 'Operating hours', ['Hours', 'Opening hours'], { needed: false }),
  column('from_day', 'First day', ['From'], DAY),
  column('to_day', 'Last day', ['To', 'Until'], DAY),
]

const MASTER_COLUMN = column('master_guid', 'Managed by', ['Master'], { needed: false })

/** The import of branches. A row may name one of `masters`, which is undefined if this person may not see any. */
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
    const named = masters && findMaster(masters, cells['master_guid'] ?? '')
    const weak = /^\d{6}$/.test(cells['pin'] ?? '') && isWeakPin(cells['pin']!, merchantId)
    const postalCode = withLostZero(cells['business.postal_code'] ?? '')
    const warnings: Notes = {
      ...(weak ? { pin: 'This PIN is easy to guess.' } : {}),
      ...(postalCode ? { 'business.postal_code': `Read as ${postalCode}. Spreadsheets drop the first 0.` } : {}),
    }
    const hours = readHours(cells['business.operating_hours'] ?? '')
    const validated = validateBySchema(
      ImportedBranch,
      toBranchBody(cells, named?.guid ?? null, hours ?? null),
      warnings,
    )
    const errors = {
      ...(named?.error ? { master_guid: named.error } : {}),
      ...(hours === undefined ? { 'business.operating_hours': HOURS_NOT_READ } : {}),
      ...dayErrors(cells),
    }
    if (Object.keys(errors).length === 0) return validated
    return { record: undefined, errors: { ...validated.errors, ...errors }, warnings }
  },
  send: (body) => call(importBranches, { body }),
  givesPasswords: false,
})

const HOURS_NOT_READ = 'Write hours like this: Mon–Fri 11:00–15:00 and 17:00–22:00, Sat 18:00–02:00, Sun closed.'

/** Reads a cell: `null` means the organisation's hours, undefined an unreadable cell. */
const readHours = (cell: string): OperatingHours | null | undefined =>
  cell.trim() === '' ? null : parseOperatingHours(cell)

/** Returns an error for each day that cannot be read. */
const dayErrors = (cells: Cells): Notes =>
  Object.fromEntries(
    BRANCH_COLUMNS.filter(({ key, type }) => type === 'day' && cells[key] && readDay(cells[key]) === undefined).map(
      ({ key }) => [key, 'Write it as 2026-12-01.'],
    ),
  )

/** Returns a row in the contract's form. A row with a day is an adhoc branch. */
function toBranchBody(cells: Cells, master_guid: string | null, operating_hours: OperatingHours | null) {
  const at = (key: string) => cells[key] ?? ''
  const partOf = (name: string) =>
    Object.fromEntries(
      BRANCH_COLUMNS.filter(({ key }) => key.startsWith(name)).map(({ key }) => [key.slice(name.length), at(key)]),
    )
  const dayAt = (key: string) => readDay(at(key)) ?? at(key)
  const isAdhoc = at('from_day') !== '' || at('to_day') !== ''
  const postal_code = withLostZero(at('business.postal_code')) ?? at('business.postal_code')
  return {
    kind: isAdhoc ? 'adhoc' : 'permanent',
    name: at('name'),
    code: at('code'),
    email: at('email'),
    business: { ...partOf('business.'), postal_code, operating_hours },
    financial_contact: partOf('financial_contact.'),
    master_guid,
    pin: at('pin'),
    ...(isAdhoc ? { from_day: dayAt('from_day'), to_day: dayAt('to_day') } : {}),
  }
}

function findMaster(masters: readonly Option[], typed: string): { guid: string | null; error?: string } {
  const wanted = typed.trim().toLowerCase()
  if (wanted === '' || wanted === 'main account') return { guid: null }
  const [found, second] = masters.filter(({ name }) => name.toLowerCase() === wanted)
  if (!found) return { guid: null, error: 'No master has this name.' }
  return second ? { guid: null, error: 'Two masters have this name.' } : { guid: found.guid }
}

/** The import of POS users. `ofBranch`: for a branch account, whose file has no column for the branch. */
export const posImport = (ofBranch: boolean): ImportKind<ImportedPosUser> => ({
  key: 'pos-users',
  title: 'Import POS users',
  noun: { one: 'POS user', many: 'POS users' },
  note: 'Each row becomes a POS user with a temporary password, which the cashier replaces at the first login.',
  columns: [
    column('username', 'Username', ['POS user', 'Login', 'User'], { unique: true }),
    ...(ofBranch ? [] : [column('branch_code', 'Branch code', ['Branch', 'Code'])]),
  ],
  validate: (cells) =>
    validateBySchema(
      ImportedPosUser,
      { username: cells['username'] ?? '', branch_code: ofBranch ? null : (cells['branch_code'] ?? '') },
      {},
    ),
  send: (body) => call(importPosUsers, { body }),
  givesPasswords: true,
})

/** Validates one row by the contract's rules. */
function validateBySchema<S extends v.GenericSchema>(
  schema: S,
  body: unknown,
  warnings: Notes,
): ValidatedCells<v.InferOutput<S>> {
  const parsed = v.safeParse(schema, body)
  return parsed.success
    ? { record: parsed.output, errors: {}, warnings }
    : { record: undefined, errors: schemaErrors(schema, body), warnings }
}
