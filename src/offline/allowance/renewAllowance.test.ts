import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { AnswerOf } from '../../contract/endpoint.ts'
import type { AllowanceGrant } from '../../contract/redemptions/allowance.ts'
import type { askAllowance, AllowanceRequest } from '../../contract/redemptions/allowanceEndpoints.ts'
import { TillDatabase } from '../store/till.ts'
import { readAllowance, renewAllowance } from './allowance.ts'

const HOUR = 3_600_000
const MINUTE = 60_000

let database: TillDatabase
let now: number
let asked: AllowanceRequest[]
let answer: AnswerOf<typeof askAllowance> | undefined

beforeEach(() => {
  database = new TillDatabase(`till-${randomUUID()}`)
  now = Date.parse('2026-11-22T04:20:00Z')
  asked = []
})
afterEach(() => database.delete())

const renew = () =>
  renewAllowance({
    database,
    wall: () => now,
    ask: async (request) => {
      asked.push(request)
      now += 1_000
      return answer
    },
  })

const granted = (): AnswerOf<typeof askAllowance> => {
  const limits = { voucher_cents: 1_000, till_cents: 5_000, total_cents: 5_000 }
  const time = { issued_at: new Date(now).toISOString(), ends_at: new Date(now + 3 * HOUR).toISOString() }
  const grant: AllowanceGrant = { id: randomUUID(), secret: 's'.repeat(43), branch: randomUUID(), ...limits, ...time }
  return { grant, why: null }
}

const kept = async () => (await readAllowance(database)).granted?.grant

it('a grant is stored with the time of the request, and renewed when a third of its time is over', async () => {
  const began = now
  answer = granted()
  expect(await renew()).toBe(began + HOUR)
  expect(await readAllowance(database)).toMatchObject({ granted: { asked_at: began, grant: { total_cents: 5_000 } } })
  await renew()
  expect(asked).toEqual([
    { total_cents: 0, grant: null },
    { total_cents: 0, grant: (await kept())!.id },
  ])
})

it('a grant stays if there is no answer, and ends with a reason if the server grants nothing more', async () => {
  answer = granted()
  await renew()
  answer = undefined
  await renew()
  expect(await kept()).toBeDefined()
  answer = { grant: null, why: 'revoked' }
  const began = now
  expect(await renew()).toBe(began + 15 * MINUTE)
  expect(await kept()).toBeUndefined()
  expect(await readAllowance(database)).toMatchObject({ why: 'revoked' })
  answer = granted()
  await renew()
  expect(await readAllowance(database)).not.toHaveProperty('why')
})
