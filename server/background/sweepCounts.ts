import { sweepAttempts } from '../db/accounts/sign-in/loginAttempts.ts'
import { sweepEnrolments } from '../db/enrolments.ts'
import { sweepUnmadeHolds } from '../db/redemptions/holds.ts'
import { sweepThrottles } from '../db/throttles.ts'
import type { Deps } from '../Deps.ts'

/** Forgets what strangers made us count and what says nothing any more, so that nobody can fill a disk by guessing. */
export async function sweepCounts({ database: { db }, clock }: Pick<Deps, 'database' | 'clock'>): Promise<void> {
  await sweepAttempts(db, clock.now())
  await sweepThrottles(db, clock.now())
  await sweepUnmadeHolds(db, clock.now())
  await sweepEnrolments(db, clock.now())
}
