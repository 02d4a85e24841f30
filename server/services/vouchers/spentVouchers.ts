import { hash } from 'node:crypto'
import { setImmediate as letOthersRun } from 'node:timers/promises'
import type { SpentVouchers } from '../../../src/contract/redemptions/signedVouchers.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { addSpent, emptyFilter } from '../../../src/domain/spentFilter.ts'
import type { Database, Db } from '../../db/engine/Database.ts'
import { countSpent, spentSerials } from '../../db/vouchers/signedVouchers.ts'
import type { Deps } from '../../Deps.ts'

export interface TaggedSpent {
  spent: SpentVouchers
  /** Changes whenever the filter changes. */
  tag: string
}

/** Returns the spent vouchers, at most 15 minutes old: many tills that come back at once cause one query. */
export function readSpentVouchers({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<TaggedSpent> {
  const last = latest.get(database)
  const now = clock.now()
  const age = last ? now.getTime() - last.at.getTime() : Infinity
  if (last && age >= 0 && age < MAX_AGE_MS) return last.answer
  const entry = { at: now, answer: makeFilter(database.db, singaporeDay(now)).then(encodeFilter) }
  latest.set(database, entry)
  entry.answer.catch(() => latest.get(database) === entry && latest.delete(database))
  return entry.answer
}

/** Short beside the hour after which a till asks again. */
const MAX_AGE_MS = 15 * 60_000

/** The last answer of each database. A process has one database, tests have several. */
const latest = new WeakMap<Database, { at: Date; answer: Promise<TaggedSpent> }>()

async function makeFilter(db: Db, today: string): Promise<Uint8Array> {
  // More vouchers may be spent while the filter is made. A filter beyond its room takes more unspent vouchers for spent, but still misses no spent
  // one.
  const filter = emptyFilter((await countSpent(db, today)) + SPARE_ROOM)
  for await (const serials of spentSerials(db, today)) {
    for (const serial of serials) addSpent(filter, serial)
    // Other calls are answered between two pages.
    await letOthersRun()
  }
  return filter
}

const SPARE_ROOM = 1_000

function encodeFilter(filter: Uint8Array): TaggedSpent {
  const tag = hash('sha256', filter, 'base64url').slice(0, 22)
  return { spent: { filter: Buffer.from(filter).toString('base64') }, tag: `"${tag}"` }
}
