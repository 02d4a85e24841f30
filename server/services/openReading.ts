import type { Reading } from '../db/engine/Database.ts'
import type { Deps } from '../Deps.ts'

/** A reading of the database, in one of the places that `organisationId` has for them (RPT-07). Throws Refusal SERVER_BUSY. */
export async function openReading(
  { database, queues }: Pick<Deps, 'database' | 'queues'>,
  organisationId: string,
): Promise<Reading> {
  const leave = await queues.readings.take({ key: organisationId })
  try {
    const reading = await database.openReading()
    // However it ends: one that nobody takes anything of is closed by the pool itself.
    void reading.closed.then(leave)
    return reading
  } catch (error) {
    leave()
    throw error
  }
}
