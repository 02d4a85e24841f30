import { findOwnUser } from '../../db/accounts/loginUsers.ts'
import { countFailure, takeBack, THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import { Refusal, tooManyAttempts } from '../Refusal.ts'
import { refuseWhileBlocked } from '../throttles.ts'

/**
 * Runs the look-ups of one user one after the other, so that each sees how many guesses came before it. Many at once then get no more answers than
 * many in a row; with several servers, perhaps one more.
 */
export const oneLookUpAtATime = <T>({ queues }: Deps, userId: string, lookUp: () => Promise<T>): Promise<T> =>
  queues.lookUps.run(lookUp, { key: userId })

/**
 * Runs `find` for a user who looks up a serial. Throws Refusal TOO_MANY_ATTEMPTS, without looking, while the user has guessed too often, so that a
 * hit cannot be told from a miss. Counts a miss, and throws VOUCHER_UNKNOWN.
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
 * Counts a serial that does not exist against a user, and returns the Refusal to throw: VOUCHER_UNKNOWN, or TOO_MANY_ATTEMPTS. A serial that the
 * organisation already asked about today is not counted again.
 */
export async function countUnknownSerial(deps: Deps, userId: string, serial: string): Promise<Refusal> {
  const { db } = deps.database
  const now = deps.clock.now()
  deps.metrics.unknownSerial()
  const user = await findOwnUser(db, userId)
  const answeredKey = `${user?.organisationId}:${serial}`
  if (await countFailure(db, THROTTLES.unknownSerialTold, answeredKey, now)) return new Refusal('VOUCHER_UNKNOWN')
  const until = await countFailure(db, THROTTLES.unknownSerial, userId, now)
  if (until) {
    await takeBack(db, THROTTLES.unknownSerialTold, answeredKey)
    return tooManyAttempts(until, now)
  }
  return new Refusal('VOUCHER_UNKNOWN')
}
