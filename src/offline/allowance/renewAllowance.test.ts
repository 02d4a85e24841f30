import { randomUUID } from 'node:crypto'
import { base64url } from 'jose'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AllowanceGrant, SignedGrant } from '../../contract/redemptions/allowance.ts'
import type { AllowanceRequest } from '../../contract/redemptions/allowanceEndpoints.ts'
import { TillDatabase } from '../store/till.ts'
import { readAllowance } from './allowance.ts'
import { renewAllowance } from './renewAllowance.ts'

const HOUR = 3_600_000
const PLACE = { till: '0190c3b0-0000-7000-8000-000000000001', branch: '0190c3b0-0000-7000-8000-000000000002' }
const KEY = 7
const keys = await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])

let database: TillDatabase
let now: number
let asked: AllowanceRequest[]
let answer: { grant: SignedGrant | null; rules: null } | undefined

beforeEach(() => {
  database = new TillDatabase(`till-${randomUUID()}`)
  now = Date.parse('2026-11-22T04:20:00Z')
  asked = []
})
afterEach(() => database.delete())

const renew = () =>
  renewAllowance(
    {
      database,
      wall: () => now,
      ask: async (request) => {
        asked.push(request)
        now += 1_000
        return answer
      },
      verify: async (key, signed, signature) => {
        const good = await crypto.subtle.verify('Ed25519', keys.publicKey, signature, signed)
        return key !== KEY ? 'unknown key' : good ? 'good' : 'bad'
      },
    },
    PLACE,
  )

async function grantOf(changed: Partial<AllowanceGrant> = {}, key = KEY): Promise<SignedGrant> {
  const limits = { voucher_cents: 1_000, till_cents: 5_000, total_cents: 5_000, check_one_in: 10 }
  const time = { issued_at: new Date(now).toISOString(), ends_at: new Date(now + 3 * HOUR).toISOString() }
  const content = base64url.encode(
    JSON.stringify({ id: randomUUID(), secret: 's'.repeat(43), ...PLACE, ...limits, ...time, ...changed }),
  )
  const signed = new TextEncoder().encode(`allowance.${content}`)
  const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', keys.privateKey, signed))
  return { key, grant: `${content}.${base64url.encode(signature)}` }
}

const kept = async () => (await readAllowance(database)).granted?.grant

it('is kept, counted from when it was asked for, and renewed when a third of its time is over', async () => {
  const began = now
  answer = { grant: await grantOf(), rules: null }
  expect(await renew()).toBe(began + HOUR)
  expect(await readAllowance(database)).toMatchObject({ granted: { asked_at: began, grant: { total_cents: 5_000 } } })
  await renew()
  expect(asked).toEqual([
    { total_cents: 0, grant: null },
    { total_cents: 0, grant: (await kept())!.id },
  ])
})

it('is not kept when the programme has not signed it, or for another till or branch', async () => {
  const [content] = (await grantOf({ total_cents: 900_000 })).grant.split('.')
  const [, signature] = (await grantOf()).grant.split('.')
  const others = [
    { ...(await grantOf()), grant: `${content}.${signature}` },
    await grantOf({}, 8),
    await grantOf({ till: randomUUID() }),
    await grantOf({ branch: randomUUID() }),
  ]
  for (const grant of others) {
    answer = { grant, rules: null }
    await renew()
    expect(await kept()).toBeUndefined()
  }
})

it('stays without an answer, and ends when the server grants nothing any more', async () => {
  answer = { grant: await grantOf(), rules: null }
  await renew()
  answer = undefined
  await renew()
  expect(await kept()).toBeDefined()
  answer = { grant: null, rules: null }
  await renew()
  expect(await kept()).toBeUndefined()
})
