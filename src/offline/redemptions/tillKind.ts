import { LIMITS } from '../../contract/limits.ts'
import type { SyncOutcome, SyncRow } from '../../contract/redemptions/sync.ts'
import type { TillWire } from '../../domain/TillWire.ts'
import type { Kind, Later } from '../queue.ts'
import {
  isAtRisk,
  isVoiding,
  isWaiting,
  type Refusal,
  type TillDatabase,
  type TillRow,
  type TillState,
} from '../store/till.ts'
import { changeTillRow, isMade, waitingTillRows } from './tillRows.ts'

export interface TillKindPorts {
  database: TillDatabase
  wire: Pick<TillWire, 'sync'>
  /** Milliseconds of this device's clock. */
  now: () => number
  random: () => number
}

/** What the server is told of a row. */
type Told = SyncRow['became']

/** What the server is told of a row that waits: of a voucher, or of the wish to have a redemption back. */
function toldOf({ state }: TillRow): Exclude<Told, 'asking'> {
  if (isAtRisk({ state })) return 'accepted'
  if (state === 'receipted') return 'voided'
  return state === 'confirmed' ? 'redeemed' : 'cancelled'
}

/** What becomes of a row, by what was told of it and what it is at the server. Whatever is not here is no end: it is told again. */
const NEXT: Record<ReturnType<typeof toldOf>, Partial<Record<SyncOutcome['state'], TillState>>> = {
  redeemed: { redeemed: 'receipted', voided: 'voided', ended: 'attention', unknown: 'attention' },
  // Redeemed, it was by its own redemption: a browser can repeat what a dying tab had sent.
  cancelled: { redeemed: 'receipted', voided: 'voided', ended: 'gone', unknown: 'gone' },
  accepted: {
    redeemed: 'receipted',
    voided: 'voided',
    ended: 'attention',
    unknown: 'attention',
    lost: 'lost',
    review: 'attention',
  },
  // The wish goes, and the row stays as it is where it came too late.
  // A server that was restored from a backup may have the hold again, and no redemption: it is let go, and the wish has come true.
  voided: { redeemed: 'receipted', voided: 'voided', ended: 'receipted', unknown: 'receipted', held: 'cancelling' },
}

/**
 * The row as it is after the server has said what its hold is. Undefined where that is no end for it, or the receipt is another one's:
 * "Redeemed" is said with its own receipt only (rule 9.10). `now` is in milliseconds of this device's clock.
 */
export function rowAfter(row: TillRow, outcome: SyncOutcome, now: number): TillRow | undefined {
  const told = toldOf(row)
  const state = NEXT[told][outcome.state]
  if (!state || ('receipt' in outcome && outcome.receipt.id !== row.id)) return undefined
  const next: TillRow = { ...row, state, settledAt: row.settledAt ?? now, voidingAt: undefined }
  // It was redeemed before the cancel came: now it is to be voided.
  if (told === 'cancelled' && isVoiding(row)) {
    if ('receipt' in outcome && state === 'receipted')
      return { ...next, receipt: outcome.receipt, voidingAt: row.voidingAt }
    return { ...next, state: 'voided', ...('receipt' in outcome && { receipt: outcome.receipt }) }
  }
  if (state === 'cancelling') return { ...row, state }
  if (told === 'voided')
    return state === 'voided' ? next : { ...next, refused: outcome.state === 'redeemed' ? TOO_LATE : UNKNOWN }
  switch (state) {
    case 'receipted':
    case 'voided':
      return { ...next, ...('receipt' in outcome && { receipt: outcome.receipt }), seen: true }
    case 'attention':
      return { ...next, refused: refusalOf(outcome), seen: false }
    case 'lost':
      return {
        ...next,
        ...(outcome.state === 'lost' && { lost: { reason: outcome.reason, at: outcome.at } }),
        seen: false,
      }
    default:
      return next
  }
}

const TOO_LATE: Refusal = { code: 'VOID_TOO_LATE', message: 'It was redeemed too long ago to be voided.', data: {} }

const UNKNOWN: Refusal = { code: 'HOLD_UNKNOWN', message: 'The server does not know its hold.', data: {} }

function refusalOf(outcome: SyncOutcome): Refusal {
  switch (outcome.state) {
    case 'ended':
      return { code: 'HOLD_ENDED', message: 'Its hold has ended.', data: { by: outcome.by, when: outcome.when } }
    case 'review':
      return { code: 'REVIEW', message: outcome.reason, data: {} }
    default:
      return UNKNOWN
  }
}

/** What the server did not mention is as unknown as what it did not answer. */
const UNSAID: Later = { kind: 'later', connectionFailed: false, message: 'There was no answer for it.' }

const NOT_YET: Later = { ...UNSAID, message: 'The server cannot say yet.' }

/** The vouchers of this device, as rows of its queue. */
export const tillKind = ({ database, wire, now, random }: TillKindPorts): Kind<TillRow> => ({
  lock: 'till-upload',
  lotSize: LIMITS.syncRows,
  read: async () => ((await isMade(database)) ? waitingTillRows(database) : []),
  /** Just tapped, and not put off yet. What was accepted without a check goes behind the counters. */
  isFresh: (row) => row.attempts === 0 && row.pausedForConnection !== true && !isAtRisk(row),
  send: async (lot, { isBacklog }) => {
    const rows = await noteSent(database, lot)
    if (rows.length === 0) return { kind: 'answered', later: new Map() }
    const answer = await wire.sync(rows.map(syncRowOf), isBacklog)
    if (answer.kind === 'later') return answer
    return { kind: 'answered', later: await settle(database, rows, answer.answer, now()) }
  },
  rest: async (ids, rest, heard) => {
    const to = (row: TillRow) => isWaiting(row) && { ...rest, ...(heard !== undefined && { heard }) }
    await together(database, () => ids.map((id) => changeTillRow(database, id, to)))
  },
  now,
  random,
})

/** By one transaction: a disk that writes for good is slow. */
const together = <T>(database: TillDatabase, changes: () => Promise<T>[]): Promise<T[]> =>
  database.transaction('rw', database.vouchers, async () => Promise.all(changes()))

/** From here on a redemption may have been carried out, whatever comes back: that is on the disk before the first byte leaves. */
async function noteSent(database: TillDatabase, lot: readonly TillRow[]): Promise<TillRow[]> {
  const to = (row: TillRow) => isWaiting(row) && { sent: row.sent || row.state !== 'cancelling' }
  const rows = await together(database, () => lot.map(({ id }) => changeTillRow(database, id, to)))
  return rows.filter((row) => row !== undefined)
}

/** Resolves to what is told again, and why. Money that was taken ends by the server's last word on it only (rule 9.10). */
async function settle(
  database: TillDatabase,
  rows: readonly TillRow[],
  outcomes: readonly (SyncOutcome | undefined)[],
  now: number,
): Promise<Map<string, Later>> {
  const later = new Map<string, Later>()
  const end = (row: TillRow, outcome: SyncOutcome | undefined) => {
    // It is judged as it was told: a wish that came meanwhile is told next.
    const isAsTold = (here: TillRow) => isWaiting(here) && toldOf(here) === toldOf(row)
    if (outcome && rowAfter(row, outcome, now))
      return changeTillRow(database, row.id, (here) => isAsTold(here) && rowAfter(here, outcome, now))
    later.set(
      row.id,
      outcome?.state === 'later' ? { ...NOT_YET, retryAfterMs: outcome.retry_after_seconds * 1_000 } : UNSAID,
    )
    return undefined
  }
  await together(database, () => rows.flatMap((row, at) => end(row, outcomes[at]) ?? []))
  return later
}

function syncRowOf(row: TillRow): SyncRow {
  const { id, secret, code = '', owner: pos_user, confirmedAt, accepted } = row
  const became = toldOf(row)
  if (became === 'accepted') return { became, id, secret, code, pos_user, ...accepted! }
  return {
    became,
    id,
    secret,
    ...(became === 'redeemed' && confirmedAt !== undefined && { tapped_at: new Date(confirmedAt).toISOString() }),
  }
}
