import { DASHBOARD, type BusyHours } from '../../../src/contract/dashboard.ts'
import { addDays, singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { sumsPerHour } from '../../db/dashboard/dashboard.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'

const DAYS = 7 * DASHBOARD.weeks

/**
 * Returns the sums of the actor's scope by weekday and hour, and those of as many weeks before. Today is not counted, because it is not over and every
 * weekday must be there equally often.
 */
export async function readBusyHours({ database, clock }: Deps, actor: Actor): Promise<BusyHours> {
  const today = singaporeDay(clock.now())
  const from = addDays(today, -DAYS)
  const both = { from: startOfDay(addDays(from, -DAYS)), before: startOfDay(today) }
  const hours = await sumsPerHour(database.db, actor.scope, both, startOfDay(from))
  return { from, to: addDays(today, -1), hours }
}
