import type { Database } from '../db/engine/Database.ts'
import { SERVER_BUSY } from './Refusal.ts'

/** Of the ten connections that downloads have (db/engine/ReadingPool.ts): one organisation leaves the half to all others. */
const AT_ONCE = 5

/** How many readings each organisation has under way here. */
const underWay = new Map<string, number>()

/** `database`, of whose readings `organisationId` has its share and no more: then Refusal SERVER_BUSY is thrown (RPT-07). */
export const fairReadings = (database: Database, organisationId: string): Database => ({
  ...database,
  async openReading(purpose) {
    const taken = underWay.get(organisationId) ?? 0
    if (taken >= AT_ONCE) throw SERVER_BUSY
    underWay.set(organisationId, taken + 1)
    try {
      const reading = await database.openReading(purpose)
      // However it ends: one that nobody takes anything of is closed by the pool itself.
      void reading.closed.then(() => giveOneBack(organisationId))
      return reading
    } catch (error) {
      giveOneBack(organisationId)
      throw error
    }
  },
})

function giveOneBack(organisationId: string): void {
  const left = (underWay.get(organisationId) ?? 1) - 1
  if (left > 0) underWay.set(organisationId, left)
  else underWay.delete(organisationId)
}
