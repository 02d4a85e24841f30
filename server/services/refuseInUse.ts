import type { InUse } from '../../src/contract/tables/resourceEndpoints.ts'
import { databaseCode, FOREIGN_KEY_VIOLATION } from '../db/engine/databaseError.ts'
import { Refusal } from './Refusal.ts'

/** Does `work`, a deletion. Throws Refusal IN_USE when something has come to refer to the row since it was looked at. */
export async function refuseInUse<T>(reason: InUse['reasons'][number], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw databaseCode(error) === FOREIGN_KEY_VIOLATION ? inUse([reason]) : error
  }
}

export const inUse = (reasons: InUse['reasons']): Refusal => new Refusal('IN_USE', { data: { reasons } })
