import type { Reading } from '../db/engine/Database.ts'
import type { Deps } from '../Deps.ts'

/** Opens a reading of the database, in one of the organisation's places in the queue (RPT-07). Throws Refusal SERVER_BUSY. */
export async function openReading(
  { database, queues }: Pick<Deps, 'database' | 'queues'>,
  organisationId: string,
): Promise<Reading> {
  const freePlace = await queues.readings.take({ key: organisationId })
  try {
    const reading = await database.openReading()
    // The place is freed however the reading ends; the pool itself closes an abandoned reading.
    void reading.closed.then(freePlace)
    return reading
  } catch (error) {
    freePlace()
    throw error
  }
}
