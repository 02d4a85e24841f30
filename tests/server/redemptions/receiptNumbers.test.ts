import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { runCommand } from '../../../server/desk/runCommand.ts'
import { db, it, server } from '../../support/server/serverTest.ts'

it.each([1, 99_999_990, 100_000_000, 350_000_000])(
  'numbers go on a hundred million higher at least after a restore, also from %i: a backup may lack that many receipts',
  async (last) => {
    await db().execute(sql`SELECT setval('receipt_no', ${last})`)
    const printed: string[] = []
    await runCommand(
      { ...server.deps, print: (text: string) => void printed.push(text) },
      { command: 'skip-receipts', given: {} },
    )
    const { rows } = (await db().execute(sql`SELECT nextval('receipt_no') AS next`)) as { rows: { next: string }[] }
    expect(Number(rows[0]!.next)).toBeGreaterThan(last + 100_000_000)
    expect(printed.join('\n')).toMatch(/^Receipt numbers go on after R-\d00000000,/)
  },
)
