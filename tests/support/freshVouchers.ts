import { setInterval as ticks } from 'node:timers/promises'
import type { Db } from '../../server/db/engine/Database.ts'
import { makeVoucher } from './database/builders.ts'

/** Vouchers at the pace of a till until it `isOver`, each made as it is wanted; every second one is held first. */
export async function* freshVouchers(db: Db, paceMs: number, isOver: () => boolean) {
  let held = false
  for await (const _ of ticks(paceMs)) {
    if (isOver()) return
    const { serial } = await makeVoucher(db)
    held = !held
    yield { serial, held }
  }
}
