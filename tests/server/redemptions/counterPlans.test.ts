import { sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { nodesOf, type PlanNode } from '../../support/database/planOf.ts'
import { sentStatements, type SentStatement } from '../../support/database/sentStatements.ts'
import { newHoldKey, redeemHeld, testTill } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

it('a check and its redemption find every row by a key, also by a plan that was made while the tables were empty', async () => {
  const till = await testTill(ask, await makePosUser(db()))
  const { serial } = await makeVoucher(db())
  const key = newHoldKey()
  const check = await sentStatements(() => till.verify(serial, key))
  const receipt = await sentStatements(() => redeemHeld(ask, key))
  const nodes = [...(await plansOf(check)), ...(await plansOf(receipt))]
  expect(nodes.filter(readsAll)).toEqual([])
  expect(nodes.filter(({ 'Relation Name': table }) => table === 'voucher')).not.toEqual([])
})

const readsAll = (node: PlanNode) =>
  node['Node Type'] === 'Seq Scan' || (/Index (Only )?Scan$/.test(node['Node Type']) && !node['Index Cond'])

/** Returns the query plans of the statements that were sent in one transaction. */
const plansOf = (sent: readonly SentStatement[]): Promise<PlanNode[]> =>
  server.database.db.transaction(async (tx) => {
    const nodes: PlanNode[] = []
    for (const { name, text, values } of sent) {
      // The settings at the beginning of the transaction. BEGIN is left out: this is a transaction already.
      if (name === undefined) for (const set of text.split(';').filter(isSetting)) await tx.execute(sql.raw(set))
      else {
        await tx.execute(sql.raw(`PREPARE planned AS ${text}`))
        const explained = await tx.execute(
          sql.raw(`EXPLAIN (FORMAT JSON) EXECUTE planned (${values.map(literal).join()})`),
        )
        const [row] = (explained as unknown as { rows: { 'QUERY PLAN': { Plan: PlanNode }[] }[] }).rows
        nodes.push(...nodesOf(row!['QUERY PLAN'][0]!.Plan))
        await tx.execute(sql.raw('DEALLOCATE planned'))
      }
    }
    return nodes
  })

const isSetting = (statement: string) => statement.startsWith('SET LOCAL')

function literal(value: unknown): string {
  const text = (one: unknown) => (one instanceof Date ? one.toISOString() : String((one as string | null) ?? 'NULL'))
  return Array.isArray(value) ? `'{${value.map((one) => text(one)).join()}}'` : `'${text(value)}'`
}
