import { and, asc, eq, gte, lt } from 'drizzle-orm'
import { singaporeDay } from '../../src/domain/singaporeTime.ts'
import type { Db } from '../db/engine/Database.ts'
import { appUser, voucher } from '../db/schema.ts'
import { MERCHANT_ACCOUNTS } from './demoMerchants.ts'

/** Serials to try at the counter; one of a kind may have been used up by then. */
export interface Demo {
  active: string | undefined
  used: string | undefined
  expired: string | undefined
}

/** The demo of this database, or `undefined` when it was not seeded. */
export async function findDemo(db: Db, now: Date): Promise<Demo | undefined> {
  const isMain = and(eq(appUser.loginKind, 'merchant'), eq(appUser.loginName, MERCHANT_ACCOUNTS.main))
  const [main] = await db.select({ id: appUser.id }).from(appUser).where(isMain)
  if (!main) return undefined
  const today = singaporeDay(now)
  return {
    active: await firstSerial(db, and(eq(voucher.status, 'Active'), gte(voucher.expiresOn, today))),
    used: await firstSerial(db, eq(voucher.status, 'Used')),
    expired: await firstSerial(db, and(eq(voucher.status, 'Active'), lt(voucher.expiresOn, today))),
  }
}

async function firstSerial(db: Db, which: ReturnType<typeof and>): Promise<string | undefined> {
  const [found] = await db
    .select({ serial: voucher.serial })
    .from(voucher)
    .where(which)
    .orderBy(asc(voucher.id))
    .limit(1)
  return found?.serial
}
