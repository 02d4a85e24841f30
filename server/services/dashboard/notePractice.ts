import { markPractised } from '../../db/merchants/organisations.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'

/** Notes that somebody of the actor's organisation has redeemed a practice voucher. A repeat changes nothing. */
export const notePractice = ({ database, clock }: Deps, { organisation }: Actor): Promise<void> =>
  markPractised(database.db, organisation.id, clock.now())
