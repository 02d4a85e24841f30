import { findOwnUser, type LoginUser } from '../../db/accounts/loginUsers.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { blockUntil, countFailure, takeBack, THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { personOf } from '../activity/activity.ts'
import { Refusal, tooManyAttempts } from '../Refusal.ts'
import { refuseWhileBlocked } from '../throttles.ts'

/** Once an organisation has used its day up, each further unknown serial costs its user this wait. Nobody else has to wait. */
const WAIT_MS = 5 * 60_000

/**
 * Runs the look-ups of one user one after the other, so that each sees what those before have counted: of four hundred at once no
 * more are told than of four hundred in a row. Another server may let one more through.
 */
export const oneLookUpAtATime = <T>({ queues }: Deps, userId: string, lookUp: () => Promise<T>): Promise<T> =>
  queues.lookUps.run(lookUp, { key: userId })

/** Who asks, and from where. */
type Guesser = Pick<Actor, 'userId' | 'device'>

/**
 * What `find` finds for this user by a serial. Throws Refusal TOO_MANY_ATTEMPTS, without looking, while the user has guessed too
 * often: a hit must not tell itself from a miss then. Counts what is not there, and throws VOUCHER_UNKNOWN.
 */
export const lookUpSerial = <T>(
  deps: Deps,
  who: Guesser,
  serial: string,
  find: () => Promise<T | undefined>,
): Promise<T> =>
  oneLookUpAtATime(deps, who.userId, async () => {
    const now = deps.clock.now()
    await refuseWhileBlocked(deps.database.db, THROTTLES.unknownSerial, who.userId, now)
    const found = await find()
    if (found === undefined) throw await countUnknownSerial(deps, who, serial)
    return found
  })

/**
 * Counts a serial that does not exist against a user and gives the Refusal to throw: VOUCHER_UNKNOWN, or TOO_MANY_ATTEMPTS. What its
 * organisation was told today is no guess, and counts no more.
 */
export async function countUnknownSerial(deps: Deps, who: Guesser, serial: string): Promise<Refusal> {
  const { db } = deps.database
  const now = deps.clock.now()
  deps.metrics.unknownSerial()
  const user = await findOwnUser(db, who.userId)
  const told = `${user?.organisationId}:${serial}`
  if (await countFailure(db, THROTTLES.unknownSerialTold, told, now)) return new Refusal('VOUCHER_UNKNOWN')
  const until = await countFailure(db, THROTTLES.unknownSerial, who.userId, now)
  if (until) {
    await takeBack(db, THROTTLES.unknownSerialTold, told)
    return tooManyAttempts(until, now)
  }
  if (user) await countForOrganisation(deps, who, user, now)
  return new Refusal('VOUCHER_UNKNOWN')
}

/** Many users of one organisation may guess together, and each stay below the limit of a minute. */
async function countForOrganisation(deps: Deps, who: Guesser, user: LoginUser, now: Date): Promise<void> {
  const { db } = deps.database
  const { userId } = who
  const { organisationId: id, organisationName: name } = user
  if (!(await countFailure(db, THROTTLES.unknownSerialOfDay, id, now))) return
  await blockUntil(db, THROTTLES.unknownSerial, userId, new Date(now.getTime() + WAIT_MS))
  const isAlarmed = await db.transaction(async (tx: Db) => {
    if (await countFailure(tx, THROTTLES.serialAlarm, id, now)) return false
    const details = { count: THROTTLES.unknownSerialOfDay.failures }
    const subject = { type: 'organisation', id, name } as const
    await noteActivity(
      tx,
      personOf(user, who),
      { organisationId: id, action: 'vouchers.guessed', subject, details },
      now,
    )
    return true
  })
  if (!isAlarmed) return
  deps.metrics.serialGuessingAlarm()
  deps.log.warn('serials_guessed', { organisation: id, user: userId })
}
