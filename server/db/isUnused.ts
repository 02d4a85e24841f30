import { and, isNull, lt, or, type SQL, sql } from 'drizzle-orm'
import { UNUSED_DAYS } from '../../src/contract/tables/tableColumns.ts'
import { addDays, startOfDay } from '../../src/domain/singaporeTime.ts'
import { appUser, redemption } from './schema.ts'

/**
 * POS users of whatever status that were there UNUSED_DAYS before `today` and have done nothing since. Whole Singapore days: a
 * table opened later today finds the same ones.
 */
export function isUnusedPosUser(today: string): SQL | undefined {
  const since = startOfDay(addDays(today, -UNUSED_DAYS))
  const isSignedOut = or(isNull(appUser.lastSignInAt), lt(appUser.lastSignInAt, since))
  const hasNotRedeemed = sql`NOT EXISTS (
    SELECT FROM ${redemption}
    WHERE ${redemption.posUserId} = ${appUser.id} AND ${redemption.redeemedAt} >= ${since.toISOString()}::timestamptz
  )`
  return and(lt(appUser.createdAt, since), isSignedOut, hasNotRedeemed)
}
