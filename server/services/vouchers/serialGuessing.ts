import { findOwnUser } from '../../db/accounts/loginUsers.ts'
import { countFailure, takeBack, THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import { Refusal, tooManyAttempts } from '../Refusal.ts'
import { refuseWhileBlocked } from '../throttles.ts'

/**
 * Runs the look-ups of one user one after the other, so that each sees what those before have counted: of four hundred at once no
 * more are told than of four hundred in a row. Another server may let one more through.
 */
export const oneLookUpAtATime = <T>({ queues }: Deps, userId: string, lookUp: () => Promise<T>): Promise<T> =>
  queues.lookUps.run(lookUp, { key: userId })

/**
 * What `find` finds for this user by a serial. Throws Refusal TOO_MANY_ATTEMPTS, without looking, while the user has guessed too
 * often: a hit must not tell itself from a miss then. Counts what is not there, and throws VOUCHER_UNKNOWN.
 */
export const lookUpSerial = <T>(
  deps: Deps,
  userId: string,
  serial: string,
  find: () => Promise<T | undefined>,
): Promise<T> =>
  oneLookUpAtATime(deps, userId, async () => {
    const now = deps.clock.now()
    await refuseWhileBlocked(deps.database.db, THROTTLES.unknownSerial, userId, now)
    const found = await find()
    if (found === undefined) throw await countUnknownSerial(deps, userId, serial)
    return found
  })

/**
 * Counts a serial that does not exist against a user and gives the Refusal to throw: VOUCHER_UNKNOWN, or TOO_MANY_ATTEMPTS. What its
 * organisation was told today is no guess, and counts no more.
 */
export async function countUnknownSerial(deps: Deps, userId: string, serial: string): Promise<Refusal> {
  const { db } = deps.database
  const now = deps.clock.now()
  deps.metrics.unknownSerial()
  const user = await findOwnUser(db, userId)
  const told = `${user?.organisationId}:${serial}`
  if (await countFailure(db, THROTTLES.unknownSerialTold, told, now)) return new Refusal('VOUCHER_UNKNOWN')
  const until = await countFailure(db, THROTTLES.unknownSerial, userId, now)
  if (until) {
    await takeBack(db, THROTTLES.unknownSerialTold, told)
    return tooManyAttempts(until, now)
  }
  return new Refusal('VOUCHER_UNKNOWN')
}
