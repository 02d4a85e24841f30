import { blockedUntil, countFailure, THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import { Refusal, tooManyAttempts } from '../Refusal.ts'

/** Counts a serial that does not exist against `userId` and gives the Refusal to throw: VOUCHER_UNKNOWN, or TOO_MANY_ATTEMPTS. */
export async function countUnknownSerial({ database, clock }: Deps, userId: string): Promise<Refusal> {
  const until = await countFailure(database.db, THROTTLES.unknownSerial, userId, clock.now())
  return until ? tooManyAttempts(until, clock.now()) : new Refusal('VOUCHER_UNKNOWN')
}

/** Throws Refusal TOO_MANY_ATTEMPTS while `userId` has guessed too often: a hit must not tell itself from a miss then. */
export async function refuseGuessing({ database, clock }: Deps, userId: string): Promise<void> {
  const until = await blockedUntil(database.db, THROTTLES.unknownSerial, userId, clock.now())
  if (until) throw tooManyAttempts(until, clock.now())
}
