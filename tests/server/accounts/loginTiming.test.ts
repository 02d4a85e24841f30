import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { hashPassword } from '../../../server/services/accounts/passwords/passwordHash.ts'
import { encryptPassword, login } from '../../support/api/portalClient.ts'
import { makeOrganisation, makeUser, PASSWORD, type User } from '../../support/database/builders.ts'
import { firstAlikeOfThree, median } from '../../support/server/responseTimes.ts'
import { ask, db, it } from '../../support/server/serverTest.ts'

const PAIRS = 100
const WARM_UP = 5

/** Milliseconds of one login with a wrong password; sealing it is the browser's time, not the server's. */
async function timeOf(user: Pick<User, 'loginKind' | 'loginName'>): Promise<number> {
  const jwe = await encryptPassword(ask, 'Wrong-Horse-2026!')
  const started = performance.now()
  const { error } = await login(ask, user, jwe)
  const took = performance.now() - started
  expect(error).toBe('INVALID_CREDENTIALS')
  return took
}

async function mediansOf(passwordHash: string) {
  const organisation = await makeOrganisation(db())
  const times = { known: [] as number[], unknown: [] as number[] }
  for (let pair = -WARM_UP; pair < PAIRS; pair += 1) {
    // An account each, so that no throttle joins in; either comes first in turn.
    const known = await makeUser(db(), 'HRP Merchant', { organisation }, { passwordHash })
    const unknown = { loginKind: 'merchant', loginName: `${uuidv7()}@test.example` } as const
    const first = pair % 2 === 0 ? known : unknown
    const [one, other] = [await timeOf(first), await timeOf(first === known ? unknown : known)]
    if (pair < 0) continue
    times.known.push(first === known ? one : other)
    times.unknown.push(first === known ? other : one)
  }
  return { known: median(times.known), unknown: median(times.unknown) }
}

it('AUT-02: a login takes as long for a name nobody has as for a known one', async () => {
  // At the product's own cost, not the builders'.
  const passwordHash = await hashPassword(PASSWORD)
  const apart = ({ known, unknown }: { known: number; unknown: number }) => Math.abs(known - unknown)
  const alike = (times: { known: number; unknown: number }) => apart(times) < Math.min(5, 0.1 * times.known)
  const times = await firstAlikeOfThree(() => mediansOf(passwordHash), alike)
  expect(apart(times)).toBeLessThan(5)
  expect(apart(times) / times.known).toBeLessThan(0.1)
})
