import { LIMITS } from '../../contract/limits.ts'
import type { SyncOutcome, SyncRow } from '../../contract/redemptions/sync.ts'
import type { TillWire } from '../../domain/TillWire.ts'
import type { QueueRules, RetryLater } from '../queue.ts'
import {
  isAtRisk,
  isVoiding,
  isWaiting,
  type Refusal,
  type TillDatabase,
  type TillRow,
  type TillState,
} from '../store/till.ts'
import { changeTillRow, tillDatabaseExists, waitingTillRows } from './tillRows.ts'

export interface TillQueuePorts {
  database: TillDatabase
  wire: Pick<TillWire, 'sync'>
  /** Milliseconds of this device's clock. */
  now: () => number
  random: () => number
}

/** Returns what the server is told about a waiting row: the outcome of its voucher, or the request to void it. */
function becameOf({ state }: TillRow): Exclude<SyncRow['became'], 'asking'> {
  if (isAtRisk({ state })) return 'accepted'
  if (state === 'receipted') return 'voided'
  return state === 'confirmed' ? 'redeemed' : 'cancelled'
}

/**
 * The next state of a row, by the message that was sent and the server's outcome. Outcomes that are missing here are not final: the
 * message is sent again.
 */
const NEXT: Record<ReturnType<typeof becameOf>, Partial<Record<SyncOutcome['state'], TillState>>> = {
  redeemed: { redeemed: 'receipted', voided: 'voided', ended: 'attention', unknown: 'attention' },
  // `redeemed` here means its own redemption: a browser can repeat a request that a dying tab had sent.
  cancelled: { redeemed: 'receipted', voided: 'voided', ended: 'gone', unknown: 'gone' },
  accepted: {
    redeemed: 'receipted',
    voided: 'voided',
    ended: 'attention',
    unknown: 'attention',
    lost: 'lost',
    review: 'attention',
  },
  // The void request ends; if it came too late, the row stays as it is. A server that was restored from a backup may have the hold
  // again without the redemption: the hold is then cancelled, which is as good as the void.
  voided: { redeemed: 'receipted', voided: 'voided', ended: 'receipted', unknown: 'receipted', held: 'cancelling' },
}

/**
 * Returns the row after the server's outcome for its hold. Undefined if the outcome is not final for the row, or the receipt
 * belongs to another redemption: "Redeemed" needs its own receipt (rule 9.10). `now` is in milliseconds of this device's clock.
 */
export function rowAfterOutcome(row: TillRow, outcome: SyncOutcome, now: number): TillRow | undefined {
  const became = becameOf(row)
  const state = NEXT[became][outcome.state]
  if (!state || ('receipt' in outcome && outcome.receipt.id !== row.id)) return undefined
  const next: TillRow = { ...row, state, settledAt: row.settledAt ?? now, voidingAt: undefined }
  // It was redeemed before the cancel came: now it must be voided.
  if (became === 'cancelled' && isVoiding(row)) {
    if ('receipt' in outcome && state === 'receipted')
      return { ...next, receipt: outcome.receipt, voidingAt: row.voidingAt }
    return { ...next, state: 'voided', ...('receipt' in outcome && { receipt: outcome.receipt }) }
  }
  if (state === 'cancelling') return { ...row, state }
  if (became === 'voided')
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

/** A row that the answer does not mention is treated like one without an answer. */
const UNSAID: RetryLater = { kind: 'later', connectionFailed: false, message: 'There was no answer for it.' }

const NOT_YET: RetryLater = { ...UNSAID, message: 'The server cannot say yet.' }

/** The rules for this device's vouchers as rows of its queue. */
export const tillQueueRules = ({ database, wire, now, random }: TillQueuePorts): QueueRules<TillRow> => ({
  lock: 'till-upload',
  lotSize: LIMITS.syncRows,
  read: async () => ((await tillDatabaseExists(database)) ? waitingTillRows(database) : []),
  /** Just tapped and not put off yet. Vouchers accepted without a check come after the counter's own. */
  isFresh: (row) => row.attempts === 0 && row.pausedForConnection !== true && !isAtRisk(row),
  send: async (lot, { isBacklog }) => {
    const rows = await noteSent(database, lot)
    if (rows.length === 0) return { kind: 'answered', later: new Map() }
    const answer = await wire.sync(rows.map(syncRowOf), isBacklog)
    if (answer.kind === 'later') return answer
    return { kind: 'answered', later: await settle(database, rows, answer.answer, now()) }
  },
  putOff: async (ids, retry, lastMessage) => {
    const to = (row: TillRow) => isWaiting(row) && { ...retry, ...(lastMessage !== undefined && { lastMessage }) }
    await together(database, () => ids.map((id) => changeTillRow(database, id, to)))
  },
  now,
  random,
})

/** In one transaction: a write that must survive a crash is slow. */
const together = <T>(database: TillDatabase, changes: () => Promise<T>[]): Promise<T[]> =>
  database.transaction('rw', database.vouchers, async () => Promise.all(changes()))

/**
 * Stores that the rows are being sent, before the first byte leaves: from then on a redemption may have been carried out, even if no
 * answer comes.
 */
async function noteSent(database: TillDatabase, lot: readonly TillRow[]): Promise<TillRow[]> {
  const to = (row: TillRow) => isWaiting(row) && { sent: row.sent || row.state !== 'cancelling' }
  const rows = await together(database, () => lot.map(({ id }) => changeTillRow(database, id, to)))
  return rows.filter((row) => row !== undefined)
}

/**
 * Stores the outcomes. Resolves to the rows that must be sent again, with the reason. Only the server's final outcome ends a row
 * with money (rule 9.10).
 */
async function settle(
  database: TillDatabase,
  rows: readonly TillRow[],
  outcomes: readonly (SyncOutcome | undefined)[],
  now: number,
): Promise<Map<string, RetryLater>> {
  const later = new Map<string, RetryLater>()
  const end = (row: TillRow, outcome: SyncOutcome | undefined) => {
    // The outcome applies to the message that was sent: a void requested meanwhile is sent next.
    const isUnchanged = (here: TillRow) => isWaiting(here) && becameOf(here) === becameOf(row)
    if (outcome && rowAfterOutcome(row, outcome, now))
      return changeTillRow(database, row.id, (here) => isUnchanged(here) && rowAfterOutcome(here, outcome, now))
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
  const became = becameOf(row)
  if (became === 'accepted') return { became, id, secret, code, pos_user, ...accepted! }
  return {
    became,
    id,
    secret,
    ...(became === 'redeemed' && confirmedAt !== undefined && { tapped_at: new Date(confirmedAt).toISOString() }),
  }
}
