import { count } from 'drizzle-orm'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { activity } from '../../../server/db/schema/activity.ts'
import { mailOutbox } from '../../../server/db/schema/mailOutbox.ts'
import { hashPassword } from '../../../server/services/accounts/passwords/passwordHash.ts'
import { encryptPassword, login } from '../../support/api/portalClient.ts'
import { makeOrganisation, makePosUser, makeUser, PASSWORD, type User } from '../../support/database/builders.ts'
import { sentTexts } from '../../support/database/sentStatements.ts'
import { firstAlikeOfThree, median } from '../../support/server/responseTimes.ts'
import { ask, db, it, server } from '../../support/server/serverTest.ts'

const PAIRS = 100
const WARM_UP = 5

/** Returns the milliseconds of one login with a wrong password. The encryption is not counted: the browser does it. */
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
    // Each login has an account of its own, so that no throttle slows it down. Known and unknown names take turns to be first.
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
  // Hashed at the cost of the product, not at the low cost of the test builders.
  const passwordHash = await hashPassword(PASSWORD)
  const apart = ({ known, unknown }: { known: number; unknown: number }) => Math.abs(known - unknown)
  const alike = (times: { known: number; unknown: number }) => apart(times) < Math.min(5, 0.1 * times.known)
  const times = await firstAlikeOfThree(() => mediansOf(passwordHash), alike)
  expect(apart(times)).toBeLessThan(5)
  expect(apart(times) / times.known).toBeLessThan(0.1)
})

/** Returns the SQL statements of twelve wrong passwords. The name is locked long before the last of them. */
async function statementsOfGuesses(user: Pick<User, 'loginKind' | 'loginName'>): Promise<string[][]> {
  const guesses: string[][] = []
  for (let tries = 0; tries < 12; tries += 1) {
    const jwe = await encryptPassword(ask, 'Wrong-Horse-2026!')
    guesses.push(
      await sentTexts(async () => {
        await login(ask, user, jwe)
        await server.deps.background.settled()
      }),
    )
    // The eighth and the tenth guess come after the wait is over.
    if (tries === 6 || tries === 8) server.clock.advance({ minutes: 16 })
  }
  return guesses
}

it('AUT-02: a failed login costs the same statements after its answer for a name nobody has, and writes none of it down', async () => {
  await statementsOfGuesses({ loginKind: 'merchant', loginName: 'first@test.example' })
  const known = await makeUser(db(), 'HRP Merchant', { organisation: await makeOrganisation(db()) })
  const rowsIn = async (table: typeof activity | typeof mailOutbox) =>
    (await db().select({ rows: count() }).from(table))[0]!.rows
  for (const { loginKind, loginName } of [known, await makePosUser(db())]) {
    const guesses = await statementsOfGuesses({ loginKind, loginName })
    expect(guesses[0]).toContainEqual(expect.stringContaining('insert into "activity"'))
    // The login does not wait for the disk.
    expect(guesses[0]).toContainEqual(expect.stringContaining('synchronous_commit'))
    const rows = async () => ({
      activity: await rowsIn(activity),
      mails: await rowsIn(mailOutbox),
    })
    const before = await rows()
    expect(before.activity).toBeGreaterThan(0)
    expect(await statementsOfGuesses({ loginKind, loginName: `nobody-${loginName}` })).toEqual(guesses)
    expect(await rows()).toEqual(before)
  }
  expect(await rowsIn(mailOutbox)).toBeGreaterThan(0)
})
