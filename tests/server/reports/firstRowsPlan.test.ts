import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { latestRedemptions } from '../../../server/db/dashboard/dashboard.ts'
import { makeBranch, makeMerchant, makePosUser, type Merchant } from '../../support/database/builders.ts'
import { db, it, server } from '../../support/server/serverTest.ts'

const TILLS = 8
const EACH = 250
const WANTED = 10
const FOUND = { from: new Date('2026-10-01T00:00:00Z'), before: new Date('2026-11-01T00:00:00Z') }

let merchant: Merchant
it.beforeAll(async () => {
  merchant = await makeMerchant(db())
  const { organisation } = merchant
  for (let n = 0; n < TILLS; n += 1) {
    const branch = await makeBranch(db(), organisation)
    const till = await makePosUser(db(), { organisation, branch })
    await db().execute(sql`
      WITH issued AS (
        INSERT INTO voucher (id, serial, denomination_cents, expires_on, status, used_at, redeemed_organisation_id, redeemed_branch_id)
        SELECT gen_random_uuid(), '2' || lpad((${n}::int * ${EACH}::int + k)::text, 12, '0'), 1000, '2099-12-31', 'Used',
          timestamptz '2026-10-01T00:00:00Z' + interval '1 hour' * k, ${organisation.id}, ${branch.id}
        FROM generate_series(1, ${EACH}::int) k RETURNING *)
      INSERT INTO redemption (id, voucher_id, organisation_id, branch_id, pos_user_id, amount_cents, redeemed_at, recorded_at)
      SELECT id, id, ${organisation.id}, ${branch.id}, ${till.id}, denomination_cents, used_at, used_at FROM issued`)
  }
  // Of the two large tables only: what PostgreSQL believes of the others is what misled it.
  await db().execute(sql`ANALYZE voucher, redemption`)
})

interface Node {
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Node[]
}

it('the newest redemptions are chosen before anything is joined to them, behind the wall too', async () => {
  const { id: organisationId } = merchant.organisation
  const scope = { organisationId, branchIds: 'all' as const }
  const database = server.database.forTenant(organisationId)
  const asked = latestRedemptions(database.db, scope, FOUND, WANTED).toSQL()
  const values = asked.params.map((value) => (value instanceof Date ? value.toISOString() : value))
  const [explained] = await database.run<unknown[], { 'QUERY PLAN': { Plan: Node }[] }>(
    { name: 'explained', text: `EXPLAIN (ANALYZE, FORMAT JSON) ${asked.sql}` },
    values,
  )
  const plan = explained!['QUERY PLAN'][0]!.Plan
  expect(plan['Actual Rows']).toBe(WANTED)
  const ofVouchers = nodesOf(plan).filter((node) => node['Relation Name'] === 'voucher')
  expect(ofVouchers).toHaveLength(1)
  expect(ofVouchers[0]!['Actual Rows'] * ofVouchers[0]!['Actual Loops']).toBe(WANTED)
})

const nodesOf = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]
