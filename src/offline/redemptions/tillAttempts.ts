import type { AcceptedUpload, AcceptedVoucher } from '../../contract/redemptions/allowance.ts'
import type { HoldOutcome } from '../../contract/redemptions/counter.ts'
import type { Receipt } from '../../contract/redemptions/redeem.ts'
import type { FinalOutcome, TillWire, WireAnswer } from '../../domain/TillWire.ts'
import { backoffMs } from '../backoff.ts'
import { isAtRisk, type TillDatabase, type TillRow } from '../store/till.ts'
import { told, untoldOf } from './takings.ts'
import { changeTillRow, readTillRow, SETTLED, unfinishedTillRows, WAITING } from './tillRows.ts'

export interface SenderPorts {
  database: TillDatabase
  wire: TillWire
  now: () => number
  random: () => number
}

/** `rests`: no connection, or a busy server, and what comes after would fail as well. */
export type Attempt = 'goes on' | 'rests for the connection' | 'rests for the server'

/** Where the server lets rows in: one by one as at an open counter, or together, behind all counters (decision 0073). */
type Door = NonNullable<TillRow['busyAt']>

export function sendOne(ports: SenderPorts, row: TillRow): Promise<Attempt> {
  if (isAtRisk(row)) return uploadAccepted(ports, row)
  return row.state === 'confirmed' ? upload(ports, row) : giveBack(ports, row)
}

/** One that the server does not take, even alone, is asked about again: it is money. */
async function uploadAccepted(ports: SenderPorts, row: TillRow): Promise<Attempt> {
  const attempt = await uploadTogether(ports, [row])
  return attempt === 'refused together' ? putOff(ports, row, UNSAID, 'uploads') : attempt
}

/** From here on it may have been carried out, whatever comes back: that is written down before the first byte leaves. */
async function upload(ports: SenderPorts, { id }: TillRow): Promise<Attempt> {
  const { database, wire } = ports
  const row = await changeTillRow(database, id, ['confirmed'], () => ({ sent: true }))
  if (!row) return 'goes on'
  return settle(ports, row, await wire.redeem(row), 'counter')
}

/** What the server did not mention is as unknown as what it did not answer. */
const UNSAID: Extract<WireAnswer<never>, { kind: 'later' }> = {
  kind: 'later',
  connectionFailed: false,
  message: 'There was no answer for it.',
}

/**
 * Uploads rows of one lot in one request; each ends by its own outcome, and the others stay and are asked again. `refused together`: the
 * server takes them one by one only.
 */
export async function uploadTogether(
  ports: SenderPorts,
  rows: readonly TillRow[],
): Promise<Attempt | 'refused together'> {
  const sent: TillRow[] = []
  for (const { id, state } of rows) {
    const row = await changeTillRow(ports.database, id, [state], () => ({ sent: true }))
    if (row) sent.push(row)
  }
  const [first] = sent
  if (!first) return 'goes on'
  return isAtRisk(first)
    ? endEach(ports, sent, await ports.wire.accept(acceptedUpload(sent)), settleAccepted)
    : endEach(ports, sent, await ports.wire.upload(sent), (own, row, answer) => settle(own, row, answer, 'uploads'))
}

async function endEach<T>(
  ports: SenderPorts,
  rows: readonly TillRow[],
  answer: WireAnswer<ReadonlyMap<string, WireAnswer<T>>>,
  end: (ports: SenderPorts, row: TillRow, own: WireAnswer<T>) => Promise<Attempt>,
): Promise<Attempt | 'refused together'> {
  if (answer.kind === 'refused') return 'refused together'
  // They go together again.
  const chance = ports.random()
  const alike = { ...ports, random: () => chance }
  const attempts: Attempt[] = []
  for (const row of rows) {
    const own = answer.kind === 'later' ? answer : (answer.answer.get(row.id) ?? UNSAID)
    attempts.push(await end(alike, row, own))
  }
  return attempts.find((attempt) => attempt !== 'goes on') ?? 'goes on'
}

/** Rows of one lot, as the server is told of them: by this device, or by whoever imports a rescue copy. */
export const acceptedUpload = (rows: readonly TillRow[]): AcceptedUpload => ({ accepted: rows.map(acceptedOf) })

function acceptedOf({
  id,
  code = '',
  denomination_cents: cents = 0,
  owner,
  taking,
  accepted,
}: TillRow): AcceptedVoucher {
  const { grant, secret, total_cents, accepted_at } = accepted!
  const { sequence, number, previous } = taking!
  const told = { id, code, grant, secret, total_cents, cents, pos_user: owner, accepted_at }
  return { ...told, taking: { sequence, number, previous } }
}

/** What was accepted at the shop's risk ends by an outcome only: no status says what became of it. */
async function settleAccepted(ports: SenderPorts, row: TillRow, answer: WireAnswer<FinalOutcome>): Promise<Attempt> {
  if (answer.kind === 'later') return putOff(ports, row, answer, 'uploads')
  if (answer.kind === 'refused') return putOff(ports, row, { ...UNSAID, message: answer.refused.message }, 'uploads')
  const settledAt = ports.now()
  const number = isWrittenDown(answer.answer) ? told(row, row.taking?.number) : {}
  await changeTillRow(ports.database, row.id, ['accepted'], () => ({ ...endOf(answer.answer), ...number, settledAt }))
  return 'goes on'
}

/** Whether the server has the number: one that does not fit what came before is perhaps nowhere but here. */
const isWrittenDown = (said: FinalOutcome): boolean => said.outcome !== 'review' || said.reason !== 'broken sequence'

function endOf(said: FinalOutcome): Partial<TillRow> {
  switch (said.outcome) {
    case 'redeemed':
      return { state: 'receipted', receipt: said.receipt, seen: true }
    case 'lost':
      return { state: 'lost', lost: { reason: said.reason, at: said.at }, seen: false }
    case 'review':
      return { state: 'attention', refused: { code: 'REVIEW', message: said.reason, data: {} }, seen: false }
  }
}

/** "Redeemed" is said with a receipt only, and money that was taken ends by the server's last word on it only (rule 9.10). */
async function settle(ports: SenderPorts, row: TillRow, answer: WireAnswer<Receipt>, door: Door): Promise<Attempt> {
  if (answer.kind === 'later') return putOff(ports, row, answer, door)
  const settledAt = ports.now()
  await changeTillRow(ports.database, row.id, ['confirmed'], () =>
    answer.kind === 'done'
      ? { state: 'receipted', receipt: answer.answer, settledAt, seen: true, ...told(row, answer.answer.taking) }
      : { state: 'attention', refused: answer.refused, settledAt, seen: false },
  )
  return 'goes on'
}

async function giveBack(ports: SenderPorts, { id }: TillRow): Promise<Attempt> {
  const row = await readTillRow(ports.database, id)
  if (row?.state !== 'cancelling') return 'goes on'
  const answer = await ports.wire.cancel(row)
  if (answer.kind === 'later') return putOff(ports, row, answer)
  // Ended another way, it may have been by its own redemption: a browser can repeat what a dying tab had sent.
  if (answer.kind === 'refused' && answer.refused.code === 'HOLD_ENDED') return askInstead(ports, row)
  const taking = answer.kind === 'done' ? answer.answer.taking : undefined
  const gone = { state: 'gone', settledAt: ports.now(), ...told(row, taking) } as const
  await changeTillRow(ports.database, row.id, ['cancelling'], () => gone)
  return 'goes on'
}

async function askInstead(ports: SenderPorts, row: TillRow): Promise<Attempt> {
  const answer = await ports.wire.ask(row)
  if (answer.kind === 'later') return putOff(ports, row, answer)
  await changeTillRow(ports.database, row.id, ['cancelling'], () => ({ ...endOfAsked(answer), settledAt: ports.now() }))
  return 'goes on'
}

function endOfAsked(answer: WireAnswer<HoldOutcome>): Partial<TillRow> {
  if (answer.kind !== 'done' || answer.answer.state !== 'redeemed') return { state: 'gone' }
  return { state: 'receipted', receipt: answer.answer.receipt, seen: true }
}

/**
 * Money is retried without end (rule 9.10). A server that answers after a silence has a backoff of its own: hours without a
 * connection say nothing about it.
 */
export async function putOff(
  { database, now, random }: SenderPorts,
  row: TillRow,
  { connectionFailed, isBusy, retryAfterMs, message: heard }: Extract<WireAnswer<unknown>, { kind: 'later' }>,
  door: Door = 'counter',
): Promise<Attempt> {
  const attempts = row.restsForLine && !connectionFailed ? 1 : row.attempts + 1
  const nextAt = now() + backoffMs(attempts, { retryAfterMs, isTurn: isBusy, random })
  await changeTillRow(database, row.id, [...WAITING, ...SETTLED], () => ({
    attempts,
    nextAt,
    putOffAt: now(),
    restsForLine: connectionFailed,
    busyAt: isBusy && door,
    heard,
  }))
  if (connectionFailed) return 'rests for the connection'
  return isBusy ? 'rests for the server' : 'goes on'
}

/**
 * Tells the server the numbers of what was settled without them, the oldest first (decision 0083): again is the same answer, and costs no
 * money. One that the server does not write down is asked again once in a while, and holds up no other.
 */
export async function tellUntold(ports: SenderPorts, isDue: (row: TillRow) => boolean): Promise<void> {
  const { database, now } = ports
  for (;;) {
    const row = untoldOf(await unfinishedTillRows(database)).find(isDue)
    if (!row) return
    const answer = await tellNumber(ports, row)
    if (answer.kind === 'later') return void (await putOff(ports, row, answer))
    const number = answer.kind === 'done' ? answer.answer.taking : row.taking?.number
    const attempts = row.attempts + 1
    const putOffAt = now()
    const nextAt = putOffAt + backoffMs(attempts, ports)
    const rest = { attempts, nextAt, putOffAt, restsForLine: undefined, busyAt: undefined }
    await changeTillRow(database, row.id, SETTLED, () => ({ ...rest, ...told(row, number) }))
  }
}

async function tellNumber({ wire }: SenderPorts, row: TillRow) {
  if (row.state !== 'gone') return wire.redeem(row)
  const answer = await wire.cancel(row)
  // A rescue copy of it was redeemed: then that is repeated, and nothing can be redeemed by it.
  return answer.kind === 'refused' && answer.refused.code === 'HOLD_ENDED' ? wire.redeem(row) : answer
}
