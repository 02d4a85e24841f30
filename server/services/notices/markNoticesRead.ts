import { LIMITS } from '../../../src/contract/limits.ts'
import type { Db } from '../../db/engine/Database.ts'
import { dropOldKeys, insertKeysRead } from '../../db/notices.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { noticesSince } from './notices.ts'

/** Remembers that the actor has read them. Answers how many keys were told. */
export const markNoticesRead = ({ database, clock }: Deps, { userId }: Actor, keys: string[]): Promise<number> =>
  database.db.transaction(async (tx: Db) => {
    const now = clock.now()
    await insertKeysRead(tx, userId, keys, now)
    await dropOldKeys(tx, userId, noticesSince(noticesSince(now)), LIMITS.noticeMarksKept)
    return keys.length
  })
