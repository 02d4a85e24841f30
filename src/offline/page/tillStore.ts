import * as v from 'valibot'
import type { Receipt, VerifiedVoucher } from '../../contract/voucher.ts'
import { TillDatabase, TillRow } from '../store/tillDatabase.ts'

let till: TillDatabase | undefined
const database = () => (till ??= new TillDatabase())

/** What a cashier sees of a day lives this long; after that the server's reports are the place to look. */
const KEPT_MS = 40 * 24 * 60 * 60 * 1000

/** Stores the redemption before it is sent; when this resolves the row has reached the disk. Rejects without IndexedDB. */
export async function storeAsking(id: string, owner: string, voucher: VerifiedVoucher): Promise<TillRow> {
  const now = Date.now()
  const row: TillRow = { id, owner, ...voucher, state: 'asking', askedAt: now, sentAt: now }
  await database().redemptions.add(row)
  return row
}

/** Sent once more under the same id. */
export const storeSentAgain = (id: string) => database().redemptions.update(id, { sentAt: Date.now() })

/** Nobody waits for the answer any more: from here on the row is only ever asked about. An answer that came first stands. */
export async function storeAbandoned(id: string): Promise<TillRow | undefined> {
  await change(
    id,
    ({ state }) => state === 'asking',
    () => ({ state: 'abandoned' }),
  )
  return database().redemptions.get(id)
}

/** The receipt, once: it came while the cashier waited, or afterwards, when somebody has to be told. */
export function storeReceipt(id: string, receipt: Receipt): Promise<void> {
  return change(id, isUnsettled, ({ state }) => ({
    state: 'receipted',
    receipt,
    settledAt: Date.now(),
    unseen: state === 'abandoned',
  }))
}

/** Settled without money: refused by the server, or found never to have happened. */
export const storeSettled = (id: string, state: 'refused' | 'nothing taken'): Promise<void> =>
  change(id, isUnsettled, () => ({ state, settledAt: Date.now() }))

export const isUnsettled = ({ state }: TillRow): boolean => state === 'asking' || state === 'abandoned'

/** Only from the states a step belongs to: another tab, or an answer that came late, may have been quicker. */
function change(id: string, from: (row: TillRow) => boolean, to: (row: TillRow) => Partial<TillRow>): Promise<void> {
  const { redemptions } = database()
  return database().transaction('rw', redemptions, async () => {
    const row = await redemptions.get(id)
    if (row && from(row)) await redemptions.update(id, to(row))
  })
}

export const storeSeen = (id: string) => database().redemptions.update(id, { unseen: false })

/** This cashier's rows on this device, oldest first; a row of another release is left alone. */
export async function tillRows(owner: string): Promise<TillRow[]> {
  const rows = await database().redemptions.where('owner').equals(owner).sortBy('askedAt')
  return rows.flatMap((row) => {
    const parsed = v.safeParse(TillRow, row)
    return parsed.success ? [parsed.output] : []
  })
}

/** Drops settled rows whose day is long over. */
export async function pruneTill(): Promise<void> {
  const old = database()
    .redemptions.where('askedAt')
    .below(Date.now() - KEPT_MS)
  await old.and(({ settledAt, unseen }) => settledAt !== undefined && !unseen).delete()
}

/** Runs while this tab alone deals with one redemption; resolves to undefined at once when another tab does. */
export async function withRedemption<T>(id: string, work: () => Promise<T>): Promise<T | undefined> {
  if (!navigator.locks) return work()
  return navigator.locks.request(`redemption-${id}`, { ifAvailable: true }, (lock) => (lock ? work() : undefined))
}
