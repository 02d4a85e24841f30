import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { SEAL_STATEMENT } from '../../../server/db/redemptions/ledger.ts'
import { redemption } from '../../../server/db/schema/redemptions.ts'
import { checkSeals, sealLedger } from '../../../server/services/redemptions/ledgerSeals.ts'
import { makePosUser, makeRedemption, type PosUser } from '../../support/database/builders.ts'
import { testDatabase, type TestDatabase } from '../../support/database/testDatabase.ts'
import { fakeClock } from '../../support/server/fakeClock.ts'

let database: TestDatabase
const clock = fakeClock()
beforeAll(async () => {
  database = await testDatabase()
})
afterAll(() => database.close())

let till: PosUser
beforeEach(async () => {
  await database.reset()
  clock.set('2026-11-21T02:00:00.000Z')
  till = await makePosUser(database.db)
})

const seal = () => sealLedger({ database, clock })
const check = () => checkSeals(database)
async function redeem(count: number) {
  const made = []
  for (let n = 0; n < count; n++) made.push(await makeRedemption(database.db, till, '2026-11-20'))
  return made.map(({ entry }) => entry)
}
const voidIt = (id: string) =>
  database.db.update(redemption).set({ voidedAt: clock.now(), voidedBy: till.id }).where(eq(redemption.id, id))

/** Changes the database as an attacker with its keys could. */
async function behindTheTriggers(...statements: string[]) {
  for (const table of ['redemption', 'ledger_seal', 'sealed_entry']) {
    await database.db.execute(sql.raw(`ALTER TABLE ${table} DISABLE TRIGGER USER`))
  }
  for (const statement of statements) await database.db.execute(sql.raw(statement))
  for (const table of ['redemption', 'ledger_seal', 'sealed_entry']) {
    await database.db.execute(sql.raw(`ALTER TABLE ${table} ENABLE TRIGGER USER`))
  }
}

it('VCH-13: seals each redemption once and each void once, in a chain that fits the ledger', async () => {
  const [first] = await redeem(3)
  expect(await check()).toMatchObject({ seals: 0, unsealed: 3, broken: undefined })
  expect(await seal()).toBe(3)
  expect(await seal()).toBe(0)
  await redeem(2)
  await voidIt(first!.id)
  expect(await seal()).toBe(3)
  const found = await check()
  expect(found).toMatchObject({ seals: 2, unsealed: 0, broken: undefined, last: { at: clock.now() } })
  expect(found.last?.hash).toMatch(/^[0-9a-f]{64}$/)
})

it('what comes while it seals waits for the next time: a busy counter does not keep it at work', async () => {
  await redeem(1)
  let runs = 0
  const busy: Pick<TestDatabase, 'run'> = {
    run: async (statement, values) => {
      const rows = await database.run(statement, values)
      runs += 1
      if (runs < 20) await redeem(1)
      return rows
    },
  }
  await sealLedger({ database: { ...database, ...busy }, clock })
  expect(runs).toBe(2)
  expect(await seal()).toBe(1)
})

it('looks up the seal of each recent redemption alone: a join would read every seal there is', async () => {
  const { name, text } = SEAL_STATEMENT
  const plan = await database.run<[now: Date], { 'QUERY PLAN': string }>(
    { name: `explained_${name}`, text: `EXPLAIN ${text}` },
    [clock.now()],
  )
  const lines = plan.map((line) => line['QUERY PLAN'])
  expect(lines.join('\n')).toContain('SubPlan')
  expect(lines.filter((line) => /(Anti|Semi|Hash|Merge) Join|Hash Cond/.test(line))).toEqual([])
})

it('VCH-13: seals a redemption that was voided before any seal saw it as both', async () => {
  const [only] = await redeem(1)
  await voidIt(only!.id)
  expect(await seal()).toBe(2)
  expect(await check()).toMatchObject({ seals: 1, broken: undefined })
})

it('VCH-13: seals what became visible after younger rows', async () => {
  const [early] = await redeem(1)
  const receiptNo = early!.receiptNo
  await redeem(2)
  await seal()
  const [late] = await redeem(1)
  await behindTheTriggers(`UPDATE redemption SET receipt_no = ${receiptNo} - 1 WHERE id = '${late!.id}'`)
  expect(await seal()).toBe(1)
  expect(await check()).toMatchObject({ seals: 2, unsealed: 0, broken: undefined })
})

it.each([
  ['an amount', (id: string) => `UPDATE redemption SET amount_cents = amount_cents + 1 WHERE id = '${id}'`],
  ['a time', (id: string) => `UPDATE redemption SET redeemed_at = redeemed_at - interval '1 day' WHERE id = '${id}'`],
  ['an entry taken out', (id: string) => `DELETE FROM sealed_entry WHERE redemption_id = '${id}'`],
  ['a seal', () => `UPDATE ledger_seal SET hash = sha256('made up'::bytea) WHERE number = 2`],
])('VCH-13: finds %s changed behind the triggers, at the seal it was in', async (_, statement) => {
  await redeem(1)
  await seal()
  const [target] = await redeem(2)
  await seal()
  await redeem(1)
  await seal()
  expect(await check()).toMatchObject({ seals: 3, broken: undefined })
  await behindTheTriggers(statement(target!.id))
  expect(await check()).toMatchObject({ seals: 3, broken: 2 })
})

it('VCH-13: finds a seal that is gone', async () => {
  for (let n = 0; n < 3; n++) {
    await redeem(1)
    await seal()
  }
  await behindTheTriggers('DELETE FROM sealed_entry WHERE seal = 1', 'DELETE FROM ledger_seal WHERE number = 1')
  expect(await check()).toMatchObject({ broken: 1 })
})

const REFUSED = { cause: { message: 'a seal of the ledger is never changed or deleted' } }

it('lets nobody change or delete a seal or what it took', async () => {
  await redeem(1)
  await seal()
  for (const table of ['ledger_seal', 'sealed_entry']) {
    await expect(database.db.execute(sql.raw(`DELETE FROM ${table}`))).rejects.toMatchObject(REFUSED)
  }
  await expect(database.db.execute(sql.raw('UPDATE ledger_seal SET cents = 0'))).rejects.toMatchObject(REFUSED)
})

it('VCH-13: several servers that seal at once make one chain, each entry in it once', async () => {
  await redeem(5)
  const sealed = await Promise.all([seal(), seal(), seal(), seal()])
  expect(sealed.reduce((sum, entries) => sum + entries, 0)).toBe(5)
  expect(await check()).toMatchObject({ seals: 1, unsealed: 0, broken: undefined })
})
