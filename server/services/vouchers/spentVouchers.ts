import { createHash } from 'node:crypto'
import { setImmediate as breathe } from 'node:timers/promises'
import type { SpentVouchers } from '../../../src/contract/redemptions/signedVouchers.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { filterKey, shortHash, writeSpentFilter } from '../../../src/domain/spentFilter.ts'
import type { Database, Db } from '../../db/engine/Database.ts'
import {
  hasVoucherKeys,
  keepSpentFilter,
  newestSpentFilter,
  readSpentFilterBytes,
  spentSerials,
  spentSince,
  type StoredSpentFilter,
} from '../../db/vouchers/signedVouchers.ts'
import type { Deps } from '../../Deps.ts'

type SpentDeps = Pick<Deps, 'database' | 'clock'>

/** A redemption that was under way when a filter was made is in neither of both, so the list begins a little earlier. */
const OVERLAP_MS = 10 * 60_000

/**
 * Makes the filter of today, once: how many vouchers are in it, or `undefined` where it is there already, or nobody signs vouchers. One
 * whose redemption was voided is out of it with the filter of the next day.
 */
export async function makeSpentFilter({ database, clock }: SpentDeps): Promise<number | undefined> {
  const { db } = database
  const now = clock.now()
  const madeOn = singaporeDay(now)
  if (!(await hasVoucherKeys(db)) || (await newestSpentFilter(db))?.madeOn === madeOn) return undefined
  const keys = await readKeys(db, madeOn)
  await keepSpentFilter(db, { madeOn, madeAt: now, vouchers: keys.length, filter: await writeFilter(keys) })
  return keys.length
}

async function readKeys(db: Db, today: string): Promise<Float64Array> {
  const pages: Float64Array[] = []
  for await (const serials of spentSerials(db, today)) pages.push(Float64Array.from(serials, filterKey))
  const keys = new Float64Array(pages.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const page of pages) {
    keys.set(page, at)
    at += page.length
  }
  return keys
}

/** Between two steps others are answered. */
async function writeFilter(keys: Float64Array): Promise<Uint8Array> {
  const steps = writeSpentFilter(keys)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    await breathe()
  }
}

export interface TaggedSpent {
  spent: SpentVouchers
  /** Another one once anything in it is another. */
  tag: string
}

/** What was spent, a minute ago at most: many tills that come back at once are one question to the database. */
export function readSpentVouchers(deps: SpentDeps): Promise<TaggedSpent> {
  const { database, clock } = deps
  const known = latest.get(database)
  const now = clock.now().getTime()
  if (known && now >= known.at && now - known.at < YOUNG_MS) return known.answer
  const answer = askSpent(deps, known?.filter)
  const asked: Latest = { at: now, answer, filter: known?.filter }
  latest.set(database, asked)
  answer.then(
    ({ filter }) => void (asked.filter = filter),
    () => latest.get(database) === asked && latest.delete(database),
  )
  return answer
}

const YOUNG_MS = 60_000

interface Latest {
  at: number
  answer: Promise<TaggedSpent & { filter: EncodedFilter | undefined }>
  filter: EncodedFilter | undefined
}

/** Of each database: a process has one, tests have several. */
const latest = new WeakMap<Database, Latest>()

/** Text of a filter, kept for the day: it is the same for everybody. */
type EncodedFilter = Omit<StoredSpentFilter, 'filter'> & { text: string }

async function askSpent({ database: { db }, clock }: SpentDeps, before: EncodedFilter | undefined) {
  const newest = await newestSpentFilter(db)
  if (!newest) return { spent: NOTHING, tag: '"none"', filter: undefined }
  const isKnown = before?.madeAt.getTime() === newest.madeAt.getTime()
  const filter = isKnown ? before : { ...newest, text: base64(await readSpentFilterBytes(db, newest.madeOn)) }
  const from = new Date(filter.madeAt.getTime() - OVERLAP_MS)
  const since = packHashes(await spentSince(db, from, singaporeDay(clock.now())))
  const { madeAt, vouchers, text } = filter
  const spent = { made_at: madeAt.toISOString(), vouchers, filter: text, since }
  const tag = createHash('sha256').update(`${spent.made_at} ${since}`).digest('base64url').slice(0, 22)
  return { spent, tag: `"${tag}"`, filter }
}

/** Before there is a filter: no till takes it for one of nothing. */
const NOTHING: SpentVouchers = { made_at: null, vouchers: 0, filter: '', since: '' }

/** Sorted, so that they tell nothing of when each was spent. */
function packHashes(serials: readonly string[]): string {
  const hashes = [...new Set(serials.map(shortHash))].toSorted((one, other) => one - other)
  const bytes = Buffer.alloc(3 * hashes.length)
  for (const [at, hash] of hashes.entries()) bytes.writeUIntBE(hash, 3 * at, 3)
  return base64(bytes)
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64')
