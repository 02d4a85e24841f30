import { hash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import type { SpentVouchers } from '../../../src/contract/redemptions/signedVouchers.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { addSpent, emptyFilter } from '../../../src/domain/spentFilter.ts'
import type { Database, Db } from '../../db/engine/Database.ts'
import { countSpent, spentSerials, spentSince } from '../../db/vouchers/signedVouchers.ts'
import type { Deps } from '../../Deps.ts'

export interface TaggedSpent {
  spent: SpentVouchers
  /** Another one once anything in it is another. */
  tag: string
}

/** What was spent, a minute ago at most: many tills that come back at once are one question to the database. */
export function readSpentVouchers({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<TaggedSpent> {
  const last = latest.get(database)
  const now = clock.now()
  const age = last ? now.getTime() - last.at.getTime() : Infinity
  if (last && age >= 0 && age < YOUNG_MS) return last.answer
  const made = bringUpToDate(database.db, last, now)
  const asked = { at: now, made, answer: made.then(encode) }
  latest.set(database, asked)
  asked.answer.catch(() => latest.get(database) === asked && latest.delete(database))
  return asked.answer
}

const YOUNG_MS = 60_000

interface Latest {
  at: Date
  made: Promise<Uint8Array>
  answer: Promise<TaggedSpent>
}

/** Of each database: a process has one, tests have several. */
const latest = new WeakMap<Database, Latest>()

/** A redemption that was under way when the filter was brought up to date is not in it, so the next look begins a little earlier. */
const OVERLAP_MS = 10 * 60_000

/** What may be spent until it is made anew: beyond it, it takes more vouchers for spent, and still misses none. */
const ROOM = 10_000

/** Made anew each day: one whose redemption was voided is out of it then. */
async function bringUpToDate(db: Db, last: Latest | undefined, now: Date): Promise<Uint8Array> {
  const today = singaporeDay(now)
  const filter = last && singaporeDay(last.at) === today ? await last.made.catch(() => undefined) : undefined
  if (last && filter) {
    for (const serial of await spentSince(db, new Date(last.at.getTime() - OVERLAP_MS), today)) addSpent(filter, serial)
    return filter
  }
  const made = emptyFilter((await countSpent(db, today)) + ROOM)
  for await (const serials of spentSerials(db, today)) {
    for (const serial of serials) addSpent(made, serial)
    // Between two pages others are answered.
    await breathe()
  }
  return made
}

function encode(filter: Uint8Array): TaggedSpent {
  const tag = hash('sha256', filter, 'base64url').slice(0, 22)
  return { spent: { filter: Buffer.from(filter).toString('base64') }, tag: `"${tag}"` }
}
