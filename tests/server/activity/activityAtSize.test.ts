import { randomUUID } from 'node:crypto'
import { sql, type SQL } from 'drizzle-orm'
import { expect } from 'vitest'
import { activityTable, type Reader } from '../../../server/db/activity/activityTable.ts'
import { selectPage, type Order } from '../../../server/db/tables/TableSource.ts'
import { makeMerchant, type Merchant } from '../../support/database/builders.ts'
import { planOf } from '../../support/database/planOf.ts'
import { db, it, server } from '../../support/server/serverTest.ts'

const ACTS = 100_000
const PIECE = 10_000
const TODAY = '2026-11-21'

let merchant: Merchant
const [person, record] = [randomUUID(), randomUUID()]

/** Fills in a year of one organisation: mostly logins, by about forty people in a hundred branches. `person` and `record` are known. */
it.beforeAll(async () => {
  merchant = await makeMerchant(db())
  // In pieces: no statement may take long on these connections.
  for (let from = 1; from <= ACTS; from += PIECE) await db().execute(acts(from))
  await db().execute(sql`ANALYZE activity`)
}, 120_000)

const acts = (from: number) => sql`
    INSERT INTO activity (id, at, organisation_id, user_id, actor, via, device, action, subject_type, subject_id, subject_name, branch_id, details)
    SELECT gen_random_uuid(), '2025-11-21T00:00:00Z'::timestamptz + n * interval '5 minutes', ${merchant.organisation.id}::uuid,
      CASE WHEN n % 40 = 0 THEN ${person}::uuid ELSE gen_random_uuid() END, 'person ' || n % 40, 'portal', 'Chrome on Windows',
      CASE WHEN n % 20 = 0 THEN 'branch.edited' ELSE 'session.logged_in' END, 'branch',
      CASE WHEN n % 500 = 0 THEN ${record} ELSE gen_random_uuid()::text END, 'Branch ' || n % 100,
      CASE WHEN n % 100 = 0 THEN ${merchant.branch.id}::uuid ELSE gen_random_uuid() END, '{}'
    FROM generate_series(${from}::int, ${from + PIECE - 1}::int) n`

/** Returns the query plan of the first page. */
function planOfPage(reader: Reader, conditions: (SQL | undefined)[]) {
  const table = activityTable(reader)
  const order: Order[] = [table.sort.at, table.id].map((key) => ({ key, direction: 'desc' }))
  return planOf(server.database, merchant.organisation.id, (tenant) =>
    selectPage(tenant, table, { scope: reader.scope, conditions, order }, { start: 0, limit: 10 }),
  )
}

type Filter = keyof ReturnType<typeof activityTable>['filters']
const main = (): Reader => ({
  scope: { organisationId: merchant.organisation.id, branchIds: 'all' },
  userId: merchant.main.id,
  branch: null,
})
const branch = (): Reader => ({
  ...main(),
  scope: { organisationId: merchant.organisation.id, branchIds: [merchant.branch.id] },
  branch: { id: merchant.branch.id },
})

const OWN_BRANCH = 'the branch of the merchant'

it.each<[string, () => Reader, Partial<Record<Filter, string>>]>([
  ['the whole log', main, {}],
  ['days long ago', main, { from: '2025-12-01', to: '2025-12-03' }],
  ['one kind', main, { kind: 'Branches' }],
  ['one action', main, { action: 'branch.edited' }],
  ['what one branch concerns', main, { branch: OWN_BRANCH }],
  ['one person', main, { actor: person }],
  ['one record', main, { subject: `branch:${record}` }],
  ['one branch', branch, {}],
])('reads a page of %s among 100,000 acts from an index, and little more than the page', async (_, reader, asked) => {
  const { filters } = activityTable(reader())
  const conditions = Object.entries(asked).map(([key, value]) => {
    const filter = filters[key as Filter] as (asked: string, today: string) => SQL | undefined
    return filter(value === OWN_BRANCH ? merchant.branch.id : value, TODAY)
  })
  const plan = await planOfPage(reader(), conditions)
  const reads = plan.filter((node) => node['Relation Name'] === 'activity')
  expect(reads.map((node) => node['Node Type'])).not.toContain('Seq Scan')
  expect(reads.length).toBeGreaterThan(0)
  for (const node of plan) expect(node['Actual Rows']).toBeLessThanOrEqual(1_000)
})
