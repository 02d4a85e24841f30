import { randomUUID } from 'node:crypto'
import * as v from 'valibot'
import { describe, expect } from 'vitest'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { reply, send, signIn, type Reply } from '../../support/api/portalClient.ts'
import { makePosUser, makeVoucher } from '../../support/database/builders.ts'
import { testTill } from '../../support/redemptions/testTill.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'
import recorded from './moneyBodies.json' with { type: 'json' }

/**
 * As that release read the answers. Copied, not imported: what a cached client reads must not change with the contract of today
 * (rule 12.6).
 */
const facts = { serial: v.string(), denomination_cents: v.number(), expires_on: v.string() }
const Receipt = v.object({
  id: v.string(),
  ...facts,
  receipt_number: v.string(),
  redeemed_at: v.string(),
  pos_username: v.string(),
  branch_name: v.string(),
})
const ANSWERS: Record<string, v.GenericSchema> = {
  verify: v.object(facts),
  redeem: Receipt,
  'redeem, as printed': Receipt,
  redemption: Receipt,
}

interface Call {
  name: string
  method: string
  path: string
  headers?: Record<string, string>
  body?: object
}

function replay(call: Call, token: string, values: { id: string; serial: string }): Promise<Reply> {
  const { serial } = values
  const spaced = `${serial.slice(0, 1)} ${serial.slice(1, 7)} ${serial.slice(7)}`
  const filled = JSON.stringify(call)
    .replaceAll('{id}', values.id)
    .replaceAll('{serial}', serial)
    .replaceAll('{serial with spaces}', spaced)
  const { method, path, headers = {}, body } = JSON.parse(filled) as Call
  return Promise.resolve(send(ask, method, path, { token, headers, ...(body ? { body } : {}) })).then((answer) =>
    reply(answer),
  )
}

describe.each(recorded)('what the release $release sends', ({ calls }) => {
  it('is accepted as it was recorded, and answered as it was read', async () => {
    const { token } = await signIn(ask, await makePosUser(db()))
    const values = { id: randomUUID(), serial: (await makeVoucher(db())).serial }
    for (const call of calls as Call[]) {
      const { status, data } = await replay(call, token, values)
      expect([call.name, status]).toEqual([call.name, 200])
      expect(v.safeParse(ANSWERS[call.name]!, data).issues).toBeUndefined()
      expect(data).toMatchObject({ serial: values.serial })
    }
    expect(calls.map(({ name }) => name).toSorted()).toEqual(Object.keys(ANSWERS).toSorted())
    expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })
  })

  it('takes no voucher that a till has on hold', async () => {
    const held = await makeVoucher(db())
    await (await testTill(ask, await makePosUser(db()))).hold(held.serial)
    const { token } = await signIn(ask, await makePosUser(db()))
    const posts = (calls as Call[]).filter(({ method }) => method === 'POST')
    for (const call of posts) {
      const refused = await replay(call, token, { id: randomUUID(), serial: held.serial })
      expect(refused).toMatchObject({ status: 409, error: 'VOUCHER_HELD' })
    }
    expect(posts.length).toBeGreaterThan(0)
  })
})
