import type { ErrorCode } from '../../src/contract/envelope.ts'
import type { InUse } from '../../src/contract/tables/resourceEndpoints.ts'
import { databaseCode, FOREIGN_KEY_VIOLATION, violatedUnique } from '../db/engine/databaseError.ts'
import { Refusal } from './Refusal.ts'

/** A unique index, with the error code for a second record and the field at which the error is shown. */
export interface Unique {
  index: string
  code: Extract<ErrorCode, 'NAME_TAKEN' | 'CODE_TAKEN'>
  path: string
}

export const UNIQUE_EMAIL: Unique = { index: 'app_user_login', code: 'NAME_TAKEN', path: 'email' }

export const UNIQUE_USERNAME: Unique = { index: 'app_user_login', code: 'NAME_TAKEN', path: 'username' }

export const UNIQUE_BRANCH_CODE: Unique = { index: 'branch_by_code', code: 'CODE_TAKEN', path: 'code' }

/** Runs `work`. If it violates one of `uniques`, throws the Refusal for that index. The index decides, because an earlier look-up may be outdated. */
export async function refuseTaken<T>(uniques: Unique[], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const index = violatedUnique(error)
    const taken = uniques.find((unique) => unique.index === index)
    if (!taken) throw error
    throw takenRefusal(taken)
  }
}

/** Returns the refusal for a value that another record has already. */
export const takenRefusal = ({ code, path }: Unique): Refusal =>
  new Refusal(code, { fields: [{ path, rule: 'unique', message: 'is taken' }] })

/** Runs `work`, a deletion. Throws Refusal IN_USE when a row added after the check refers to the deleted one. */
export async function refuseInUse<T>(reason: InUse['reasons'][number], work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw databaseCode(error) === FOREIGN_KEY_VIOLATION ? inUse([reason]) : error
  }
}

/** Returns the refusal of a deletion, with the kinds of data that refer to the record. */
export const inUse = (reasons: InUse['reasons']): Refusal => new Refusal('IN_USE', { data: { reasons } })

/** Returns the refusal of an edit that began from an older state than `current`. It contains the current record, so that the screen can show both; null if it was removed. */
export const staleRevision = (current: object | null): Refusal => new Refusal('STALE_REVISION', { data: { current } })
