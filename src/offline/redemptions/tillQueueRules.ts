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

/** Returns the message to the server about a waiting row: the outcome of its voucher, or the request to void it. */
function messageFor({ state }: TillRow): Exclude<SyncRow['became'], 'asking'> {
  if (isAtRisk({ state })) return 'accepted'
  if (state === 'receipted') return 'voided'
  return state === 'confirmed' ? 'redeemed' : 'cancelled'
}

/**
 * The next state of a row, by the message that was sent and the outcome that the server answered. If an outcome is missing here, it
 * is not final, and the message is sent again.
 */
const NEXT_STATES: Record<ReturnType<typeof messageFor>, Partial<Record<SyncOutcome['state'], TillState>>> = {
  redeemed: { redeemed: 'receipted', voided: 'voided', ended: 'attention', unknown: 'attention' },
  // After a cancel, `redeemed` means that the row's own redemption did arrive: a browser may repeat the request of a closed tab.
  cancelled: { redeemed: 'receipted', voided: 'voided', ended: 'gone', unknown: 'gone' },
  accepted: {
    redeemed: 'receipted',
    voided: 'voided',
    ended: 'attention',
    unknown: 'attention',
    lost: 'lost',
    review: 'attention',
  },
  // Each outcome ends the void request. If it came too late, the row stays receipted. A server that was restored from a backup may
  // have the hold but not the redemption. Then the hold is cancelled, which has the effect of the void.
  voided: { redeemed: 'receipted', voided: 'voided', ended: 'receipted', unknown: 'receipted', held: 'cancelling' },
}

/**
 * Returns the row after the server's outcome for its hold. Returns undefined if the outcome is not final for the row, or if it has
 * the receipt of another redemption: only its own receipt makes a row redeemed (rule 9.10). `now` is in milliseconds of this
 * device's clock.
 */
export function rowAfterOutcome(row: TillRow, outcome: SyncOutcome, now: number): TillRow | undefined {
  const became = messageFor(row)
  const state = NEXT_STATES[became][outcome.state]
  if (!state || ('receipt' in outcome && outcome.receipt.id !== row.id)) return undefined
  const next: TillRow = { ...row, state, settledAt: row.settledAt ?? now, voidingAt: undefined }
  // If the redemption came before the cancel, it must now be voided.
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
      return { ...next, refused: makeRefusal(outcome), seen: false }
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

const TOO_LATE: Refusal = {
  code: 'VOID_TOO_LATE',
  message: 'The voucher was redeemed too long ago to be voided.',
  data: {},
}

const UNKNOWN: Refusal = { code: 'HOLD_UNKNOWN', message: "The server does not know this voucher's hold.", data: {} }

function makeRefusal(outcome: SyncOutcome): Refusal {
  switch (outcome.state) {
    case 'ended':
      return {
        code: 'HOLD_ENDED',
        message: 'The hold on this voucher has ended.',
        data: { by: outcome.by, when: outcome.when },
      }
    case 'review':
      return { code: 'REVIEW', message: outcome.reason, data: {} }
    default:
      return UNKNOWN
  }
}

/** The result for a row without an outcome in the answer. */
const NO_ANSWER: RetryLater = {
  kind: 'later',
  connectionFailed: false,
  message: 'The server gave no answer for this voucher.',
}

const NOT_YET: RetryLater = { ...NO_ANSWER, message: 'The server does not know the outcome yet.' }

/** Returns the queue's rules for this device's vouchers. */
export const tillQueueRules = ({ database, wire, now, random }: TillQueuePorts): QueueRules<TillRow> => ({
  lock: 'till-upload',
  batchSize: LIMITS.syncRows,
  read: async () => ((await tillDatabaseExists(database)) ? waitingTillRows(database) : []),
  /** True for a new row that was not put off yet. Vouchers accepted without a check are never fresh, so they come last. */
  isFresh: (row) => row.attempts === 0 && row.pausedForConnection !== true && !isAtRisk(row),
  send: async (batch, { isBacklog }) => {
    const rows = await markSent(database, batch)
    if (rows.length === 0) return { kind: 'answered', later: new Map() }
    const answer = await wire.sync(rows.map(makeSyncRow), isBacklog)
    if (answer.kind === 'later') return answer
    return { kind: 'answered', later: await storeOutcomes(database, rows, answer.answer, now()) }
  },
  putOff: async (ids, retry, lastMessage) => {
    const makeChanges = (row: TillRow) =>
      isWaiting(row) && { ...retry, ...(lastMessage !== undefined && { lastMessage }) }
    await changeTogether(database, () => ids.map((id) => changeTillRow(database, id, makeChanges)))
  },
  now,
  random,
})

/** Makes the changes in one transaction, because each transaction that must survive a crash is slow. */
const changeTogether = <T>(database: TillDatabase, changes: () => Promise<T>[]): Promise<T[]> =>
  database.transaction('rw', database.vouchers, async () => Promise.all(changes()))

/**
 * Stores that the rows are being sent, before the first byte leaves. From then on the server may have the redemption, even if no
 * answer comes.
 */
async function markSent(database: TillDatabase, batch: readonly TillRow[]): Promise<TillRow[]> {
  const makeChanges = (row: TillRow) => isWaiting(row) && { sent: row.sent || row.state !== 'cancelling' }
  const rows = await changeTogether(database, () => batch.map(({ id }) => changeTillRow(database, id, makeChanges)))
  return rows.filter((row) => row !== undefined)
}

/**
 * Stores the outcomes. Resolves to the rows that must be sent again, with the reason. A row with money ends only with the server's
 * final outcome (rule 9.10).
 */
async function storeOutcomes(
  database: TillDatabase,
  rows: readonly TillRow[],
  outcomes: readonly (SyncOutcome | undefined)[],
  now: number,
): Promise<Map<string, RetryLater>> {
  const later = new Map<string, RetryLater>()
  const applyOutcome = (row: TillRow, outcome: SyncOutcome | undefined) => {
    // The outcome answers the message that was sent. A void that was requested meanwhile is sent next.
    const isUnchanged = (current: TillRow) => isWaiting(current) && messageFor(current) === messageFor(row)
    if (outcome && rowAfterOutcome(row, outcome, now))
      return changeTillRow(
        database,
        row.id,
        (current) => isUnchanged(current) && rowAfterOutcome(current, outcome, now),
      )
    later.set(
      row.id,
      outcome?.state === 'later' ? { ...NOT_YET, retryAfterMs: outcome.retry_after_seconds * 1_000 } : NO_ANSWER,
    )
    return undefined
  }
  await changeTogether(database, () => rows.flatMap((row, at) => applyOutcome(row, outcomes[at]) ?? []))
  return later
}

function makeSyncRow(row: TillRow): SyncRow {
  const { id, secret, code = '', owner: pos_user, confirmedAt, accepted } = row
  const became = messageFor(row)
  if (became === 'accepted') return { became, id, secret, code, pos_user, ...accepted! }
  return {
    became,
    id,
    secret,
    ...(became === 'redeemed' && confirmedAt !== undefined && { tapped_at: new Date(confirmedAt).toISOString() }),
  }
}
