import { DASHBOARD, type BusyHours } from '../../../src/contract/dashboard.ts'
import { addDays, singaporeDay, singaporeWallTime, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { weekdayOf } from '../../../src/domain/weekdays.ts'
import { sumsPerSlot } from '../../db/dashboard/dashboard.ts'
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
  const hours = new Map<string, Hour>()
  for (const { start, count, cents } of await sumsPerSlot(database.db, actor.scope, both, '1 hour')) {
    const [day = '', time = ''] = singaporeWallTime(start).split(' ')
    const place = { weekday: weekdayOf(day) + 1, hour: Number(time.slice(0, 2)) }
    const key = `${place.weekday} ${place.hour}`
    const sums = hours.get(key) ?? { ...place, count: 0, cents: 0, count_before: 0, cents_before: 0 }
    if (day >= from) hours.set(key, { ...sums, count: sums.count + count, cents: sums.cents + cents })
    else hours.set(key, { ...sums, count_before: sums.count_before + count, cents_before: sums.cents_before + cents })
  }
  return { from, to: addDays(today, -1), hours: [...hours.values()].toSorted(inWeekOrder) }
}

type Hour = BusyHours['hours'][number]

const inWeekOrder = (one: Hour, other: Hour) => one.weekday - other.weekday || one.hour - other.hour
