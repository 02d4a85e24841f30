import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hashPassword } from '../../server/services/passwordHash.ts'
import { makeOrganisation, makeUser, type User } from '../support/builders.ts'
import { median } from '../support/median.ts'
import { askOf } from '../support/passwordDoors.ts'
import { type Ask, encryptPassword, login } from '../support/portalClient.ts'
import { testServer, type TestServer } from '../support/testServer.ts'

const PAIRS = 100
const WARM_UP = 5

let server: TestServer
let ask: Ask
beforeAll(async () => {
  server = await testServer()
  ask = askOf(server)
})
afterAll(() => server.close())

/** Milliseconds of one login with a wrong password; sealing it is the browser's time, not the server's. */
async function timeOf(user: Pick<User, 'loginKind' | 'loginName'>): Promise<number> {
  const jwe = await encryptPassword(ask, 'Wrong-Horse-2026!')
  const started = performance.now()
  const { error } = await login(ask, user, jwe)
  const took = performance.now() - started
  expect(error).toBe('INVALID_CREDENTIALS')
  return took
}

// A leak shows in every series, a busy machine hardly in three of them.
it('AUT-02: a login takes as long for a name nobody has as for a known one', { retry: 2 }, async () => {
  const organisation = await makeOrganisation(server.database.db)
  const passwordHash = await hashPassword('Correct-Horse-2026!')
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let pair = -WARM_UP; pair < PAIRS; pair += 1) {
    // An account each, so that no throttle joins in; either comes first in turn.
    const known = await makeUser(server.database.db, 'HRP Merchant', { organisation }, { passwordHash })
    const unknown = { loginKind: 'merchant', loginName: `${uuidv7()}@test.example` } as const
    const first = pair % 2 === 0 ? known : unknown
    const [one, other] = [await timeOf(first), await timeOf(first === known ? unknown : known)]
    if (pair < 0) continue
    times.known.push(first === known ? one : other)
    times.unknown.push(first === known ? other : one)
  }
  const [known, unknown] = [median(times.known), median(times.unknown)]
  expect(Math.abs(known - unknown)).toBeLessThan(5)
  expect(Math.abs(known - unknown) / known).toBeLessThan(0.1)
})
