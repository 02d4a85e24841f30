import type { HoldOutcome } from '../../contract/redemptions/counter.ts'
import type { TillWire, WireAnswer } from '../../domain/TillWire.ts'
import { backoffMs } from '../backoff.ts'
import { earliest } from '../dueQueue.ts'
import { isWaiting, type TillDatabase, type TillRow } from '../store/till.ts'
import { changeTillRow, readTillRow, unansweredVoids, waitingTillRows } from './tillRows.ts'

export interface SenderPorts {
  database: TillDatabase
  wire: TillWire
  now: () => number
}

/** When a row fails so often, the row itself may be the problem, not the connection: the one behind it is sent as well. */
const DOUBTED_AFTER = 5

/** `false`: no connection, and what comes after would fail as well. */
type ConnectionHolds = boolean

/**
 * Tells the server everything that is due, one after the other in the order it happened at the counter: what was taken, and
 * what is given back. With `all`, also what rests after a failure: the connection is back, or somebody pressed "Try now". A row is
 * overtaken only when the server itself put it off, or when it has failed again and again. Without a connection everything rests,
 * and the oldest is tried first.
 */
export async function sendWaiting(ports: SenderPorts, all = false): Promise<void> {
  await sendRows(ports, all)
  await askAboutVoids(ports, all)
}

async function sendRows(ports: SenderPorts, all: boolean): Promise<void> {
  const rows = await waitingTillRows(ports.database)
  const isDue = ({ nextAt }: TillRow) => all || nextAt <= ports.now()
  if (!rows.some(isDue)) return
  for (const row of rows) {
    if (!isDue(row) && !row.restsForLine) continue
    if (await sendOne(ports, row)) continue
    if (row.attempts + 1 < DOUBTED_AFTER) return restBehind(ports, row.id)
  }
}

/** The connection that failed this row would fail the others: they wait as long as it does. */
async function restBehind({ database }: SenderPorts, id: string): Promise<void> {
  const failed = await readTillRow(database, id)
  if (!failed) return
  const { nextAt } = failed
  const longer = (row: TillRow) => (row.nextAt < nextAt ? { nextAt, restsForLine: true } : undefined)
  for (const row of await waitingTillRows(database))
    await changeTillRow(database, row.id, ['confirmed', 'cancelling'], longer)
}

/** When the next one is due, in milliseconds of this device's clock; undefined when nothing waits. */
export async function nextDueAt(database: TillDatabase): Promise<number | undefined> {
  return earliest([...(await waitingTillRows(database)), ...(await unansweredVoids(database))])
}

/** The server voids for minutes; a clock of this device that jumps must not end the asking before. */
const VOID_ASKED_FOR_MS = 24 * 60 * 60_000

/** What became of the voids whose answer was lost (rule 9.13): one that arrived late is shown as voided here too. */
async function askAboutVoids({ database, wire, now }: SenderPorts, all: boolean): Promise<void> {
  for (const row of await unansweredVoids(database)) {
    if (!all && row.nextAt > now()) continue
    const answer = await wire.ask(row)
    const attempts = row.attempts + 1
    const isOver = answer.kind !== 'later' && now() - row.voidSentAt! > VOID_ASKED_FOR_MS
    const isVoided = answer.kind === 'done' && answer.answer.state === 'voided'
    await changeTillRow(database, row.id, ['receipted'], () => ({
      attempts,
      nextAt: now() + backoffMs(attempts),
      ...(isVoided ? { state: 'voided' } : isOver ? { voidSentAt: undefined } : {}),
    }))
    if (answer.kind === 'later' && answer.connectionFailed) return
  }
}

/** Settles one row now, whatever else waits: before it is voided, or asked about anew. */
export async function settleOne(ports: SenderPorts, id: string): Promise<void> {
  const row = await readTillRow(ports.database, id)
  if (row && isWaiting(row)) await sendOne(ports, row)
}

const sendOne = (ports: SenderPorts, row: TillRow): Promise<ConnectionHolds> =>
  row.state === 'confirmed' ? upload(ports, row) : giveBack(ports, row)

/** From here on it may have been carried out, whatever comes back: that is written down before the first byte leaves. */
async function upload(ports: SenderPorts, { id }: TillRow): Promise<ConnectionHolds> {
  const { database, wire, now } = ports
  const row = await changeTillRow(database, id, ['confirmed'], () => ({ sent: true }))
  if (!row) return true
  const answer = await wire.redeem(row)
  if (answer.kind === 'later') return putOff(ports, row, answer)
  const settledAt = now()
  await changeTillRow(database, id, ['confirmed'], () =>
    answer.kind === 'done'
      ? { state: 'receipted', receipt: answer.answer, settledAt, seen: true }
      : { state: 'attention', refused: answer.refused, settledAt, seen: false },
  )
  return true
}

async function giveBack(ports: SenderPorts, row: TillRow): Promise<ConnectionHolds> {
  const answer = await ports.wire.cancel(row)
  if (answer.kind === 'later') return putOff(ports, row, answer)
  // Ended another way, it may have been by its own redemption: a browser can repeat what a dying tab had sent.
  if (answer.kind === 'refused' && answer.refused.code === 'HOLD_ENDED') return askInstead(ports, row)
  await changeTillRow(ports.database, row.id, ['cancelling'], () => ({ state: 'gone', settledAt: ports.now() }))
  return true
}

async function askInstead(ports: SenderPorts, row: TillRow): Promise<ConnectionHolds> {
  const answer = await ports.wire.ask(row)
  if (answer.kind === 'later') return putOff(ports, row, answer)
  await changeTillRow(ports.database, row.id, ['cancelling'], () => ({ ...endOf(answer), settledAt: ports.now() }))
  return true
}

function endOf(answer: WireAnswer<HoldOutcome>): Partial<TillRow> {
  if (answer.kind !== 'done' || answer.answer.state !== 'redeemed') return { state: 'gone' }
  return { state: 'receipted', receipt: answer.answer.receipt, seen: true }
}

/** Money is retried without end (rule 9.10). */
async function putOff(
  { database, now }: SenderPorts,
  row: TillRow,
  { connectionFailed, retryAfterMs, message: heard }: Extract<WireAnswer<unknown>, { kind: 'later' }>,
): Promise<ConnectionHolds> {
  const attempts = row.attempts + 1
  const nextAt = now() + (retryAfterMs ?? backoffMs(attempts))
  await changeTillRow(database, row.id, ['confirmed', 'cancelling'], () => ({
    attempts,
    nextAt,
    restsForLine: connectionFailed,
    heard,
  }))
  return !connectionFailed
}
