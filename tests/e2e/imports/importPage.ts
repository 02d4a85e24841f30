import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { toCsv } from '../../../src/domain/csv.ts'
import type { PortalOrigin } from '../../support/browser/portalOrigin.ts'
import type { Organisation } from '../../support/database/builders.ts'
import { rowsOf } from '../../support/database/rows.ts'

export const BRANCH_TITLES = [
  'Branch name',
  'Branch code',
  'Login email',
  'Address',
  'Postal code',
  'Contact number',
  'Financial contact name',
  'Financial contact email',
  'Financial contact number',
  'Branch PIN',
]

/** A correct row of a file of branches; `given` replaces fields. */
export const branchLine = (n: number, given: Record<string, string> = {}): string[] => {
  const line: Record<string, string> = {
    'Branch name': `Branch ${n}`,
    'Branch code': `IMP-${n}`,
    'Login email': `imported-${n}-${process.pid}-${started}@test.example`,
    Address: `${n} Tampines Central 5,\n#02-14 "Corner"`,
    'Postal code': '529510',
    'Contact number': '+65 6555 0142',
    'Financial contact name': 'Nadia Rahim',
    'Financial contact email': 'nadia@test.example',
    'Financial contact number': '+65 6555 0143',
    'Branch PIN': '482913',
    ...given,
  }
  return BRANCH_TITLES.map((title) => line[title] ?? '')
}
/** An email must be unique on the platform, and a worker runs several tests on one database. */
let started = Date.now()
export const freshEmails = () => void (started += 1)

export const branchFile = (lines: string[][]): string => toCsv([BRANCH_TITLES, ...lines])

export const branchLines = (amount: number): string[][] => Array.from({ length: amount }, (_, n) => branchLine(n + 1))

export async function chooseCsv(page: Page, content: string | Uint8Array, name = 'branches.csv'): Promise<void> {
  const buffer = Buffer.from(content)
  await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer })
}

export const table = (page: Page) => page.getByRole('table', { name: 'Rows to look at' })
export const counts = (page: Page) => page.getByRole('region', { name: 'Progress of the import' }).getByRole('status')

/** The message on the row with this number. */
export const rowAt = (page: Page, number: number) =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell', { name: `Row ${number}`, exact: true }) })

export async function branchesOf({ database }: PortalOrigin, { id }: Organisation): Promise<number> {
  return (await rowsOf(database.db, 'branch', { organisationId: id })).length
}

/** Presses a button that saves a file, and reads the file. */
export async function savedFile(page: Page, name: string): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()])
  return readFile(await file.path(), 'utf8')
}
