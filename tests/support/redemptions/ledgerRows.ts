import { and, eq, isNull } from 'drizzle-orm'
import { expect } from 'vitest'
import type { Statement } from '../../../server/db/engine/Database.ts'
import { ledgerCheck } from '../../../server/db/redemptions/ledger.ts'
import { hold, redemption } from '../../../server/db/schema/redemptions.ts'
import { voucher } from '../../../server/db/schema/vouchers.ts'
import { db, server } from '../server/serverTest.ts'

/** Returns the ledger rows of a voucher, from the database of the test file. */
export const rowsOf = (voucherId: string) => db().select().from(redemption).where(eq(redemption.voucherId, voucherId))
export const stored = async (id: string) => (await db().select().from(voucher).where(eq(voucher.id, id)))[0]!
export const openHold = async (voucherId: string) => {
  const open = and(eq(hold.voucherId, voucherId), isNull(hold.became))
  return (await db().select().from(hold).where(open))[0]
}
export const expectBalance = async () => expect(await ledgerCheck(server.database)).toMatchObject({ balanced: true })

const WAITING: Statement<[], { count: number }> = {
  name: 'waiting_for_locks',
  text: `SELECT count(*)::int AS count FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`,
}

/** Returns how many connections wait for a lock. */
export const countWaiting = async () => (await server.database.run(WAITING, []))[0]!.count
