import { countFailure, THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal, secondsUntil } from '../Refusal.ts'

/** Counts one request of an import. Throws Refusal TOO_MANY_ATTEMPTS beyond THROTTLES.importBatch. */
export async function countBatch({ database, clock }: Deps, { userId }: Actor): Promise<void> {
  const now = clock.now()
  const until = await countFailure(database.db, THROTTLES.importBatch, userId, now)
  if (until) throw new Refusal('TOO_MANY_ATTEMPTS', { retryAfterSeconds: secondsUntil(until, now) })
}
