import { backoffMs, wasTurnedBack } from '../backoff.ts'
import { dueQueue, earliest, type DueQueue } from '../dueQueue.ts'
import { isUnsent, isWaiting, type TillRow } from '../store/till.ts'
import { SendingRound } from './SendingRound.ts'
import { putOff, sendOne, uploadTogether, type Attempt, type SenderPorts } from './tillAttempts.ts'
import {
  changeTillRow,
  inLots,
  isMade,
  lookAgain,
  readTillRow,
  WAITING,
  waitingAndUnfinished,
  waitingTillRows,
} from './tillRows.ts'

/**
 * One tab of the browser uploads at a time. Without Web Locks two may tell the server the same; one id has one answer, so that
 * costs a request and no money.
 */
export const UPLOAD_LOCK = 'till-upload'

/** The queue of this device's vouchers. `releaseOrphans` follows each round, and what it lets go is sent by the next. */
export const tillQueue = (ports: SenderPorts, releaseOrphans: () => Promise<void>): DueQueue =>
  dueQueue({
    lock: UPLOAD_LOCK,
    whenHeld: 'wait',
    drain: async ({ again }) => {
      if (!(await isMade(ports.database))) return undefined
      await sendWaiting(ports, again)
      await releaseOrphans()
      return nextDueAt(ports)
    },
  })

/**
 * Tells the server everything that is due, one after the other in the order it happened at the counter: what was taken, and
 * what is given back. With `again`, also what rests for the connection, which is back. A row is overtaken only when the server put
 * off this very row, or when it has failed again and again and another one gets through. Without a connection everything rests,
 * and the oldest is tried first; with a busy server everything rests for as long as it asks, whoever wakes.
 */
export async function sendWaiting(ports: SenderPorts, again = false): Promise<void> {
  if (again) lookAgain(ports.database)
  const { waiting, unfinished } = await readWaiting(ports)
  const rest = restsOf([...waiting, ...unfinished], ports.now())
  const isLetIn = (row: TillRow) => rest(row) <= ports.now()
  if (!(await sendRows(ports, waiting.filter(isLetIn), again))) return
  await askAboutVoids(ports, unfinished.filter(isLetIn), again)
}

type Reading = Pick<SenderPorts, 'database' | 'now'>

async function readWaiting({ database, now }: Reading) {
  const { waiting, unfinished } = await waitingAndUnfinished(database)
  const at = now()
  return { waiting: waiting.map((row) => byClockOf(at, row)), unfinished: unfinished.map((row) => byClockOf(at, row)) }
}

/** What was put off by a clock that was turned back since is due. */
const byClockOf = (now: number, row: TillRow): TillRow =>
  wasTurnedBack(row.putOffAt, now) ? { ...row, nextAt: 0 } : row

/**
 * What was just taken, while somebody stands there: it has not been put off yet. Everything else waits, and may wait; what was accepted
 * without a check goes behind the counters.
 */
const isFresh = ({ state, attempts, restsForLine }: TillRow) =>
  state !== 'accepted' && attempts === 0 && restsForLine !== true

/**
 * Until when a busy server wants to hear nothing of a row; 0 when it has not asked for time. One that refused what waits has said
 * nothing about counters, which it lets in first.
 */
function restsOf(rows: readonly TillRow[], now: number): (row: TillRow) => number {
  const until = (door: TillRow['busyAt']) =>
    Math.max(0, ...rows.filter(({ busyAt, nextAt }) => busyAt === door && nextAt > now).map(({ nextAt }) => nextAt))
  const [counter, uploads] = [until('counter'), until('uploads')]
  return (row) => Math.max(counter, isFresh(row) ? 0 : uploads)
}

const isDue = ({ now }: SenderPorts, { nextAt, restsForLine }: TillRow, again: boolean) =>
  nextAt <= now() || (again && restsForLine === true)

/** Whether there is more to be sent. */
async function sendRows(ports: SenderPorts, rows: readonly TillRow[], again: boolean): Promise<boolean> {
  if (!rows.some((row) => isDue(ports, row, again))) return true
  const due = rows.filter((row) => isDue(ports, row, again) || row.restsForLine)
  const round = new SendingRound(ports, due)
  const waiting = due.filter((row) => isUnsent(row) && !isFresh(row))
  const { attempt, alone } = await uploadWaiting(ports, round, waiting)
  if (attempt === 'rests for the connection') {
    await restBehind(ports, waiting[0]!.id)
    return false
  }
  const left = due.filter((row) => isFresh(row) || (attempt === 'goes on' && row.state === 'cancelling'))
  for (const row of [...alone, ...left]) {
    const one = await round.after(row, await sendOne(ports, row))
    if (one === 'rests for the connection') await restBehind(ports, row.id)
    if (one !== 'goes on') return false
  }
  return attempt === 'goes on'
}

/** What waits goes up together, oldest first; `alone` are those that the server takes one by one only. */
async function uploadWaiting(
  ports: SenderPorts,
  round: SendingRound,
  rows: readonly TillRow[],
): Promise<{ attempt: Attempt; alone: readonly TillRow[] }> {
  const alone: TillRow[] = []
  for (const lot of inLots(rows)) {
    const attempt = await uploadOrHalve(ports, round, lot)
    if (attempt === 'refused together') alone.push(...lot)
    else if (attempt !== 'goes on') return { attempt, alone: [] }
  }
  return { attempt: 'goes on', alone }
}

/** Rows that do not get through on a connection that others got through on: each half is tried, down to the row that is the problem. */
async function uploadOrHalve(
  ports: SenderPorts,
  round: SendingRound,
  rows: readonly TillRow[],
): Promise<Attempt | 'refused together'> {
  const whole = await uploadTogether(ports, rows)
  if (whole === 'refused together') return whole
  const next = await round.after(rows[0]!, whole)
  if (whole !== 'rests for the connection' || next !== 'goes on' || rows.length === 1) return next
  const half = Math.floor(rows.length / 2)
  const first = await uploadOrHalve(ports, round, rows.slice(0, half))
  return first === 'goes on' ? uploadOrHalve(ports, round, rows.slice(half)) : first
}

/** The connection that failed this row would fail the others: they wait as long as it does. */
async function restBehind({ database, now }: SenderPorts, id: string): Promise<void> {
  const failed = await readTillRow(database, id)
  if (!failed) return
  const { nextAt, putOffAt } = failed
  const longer = (row: TillRow) =>
    byClockOf(now(), row).nextAt < nextAt ? { nextAt, putOffAt, restsForLine: true } : undefined
  for (const row of await waitingTillRows(database)) await changeTillRow(database, row.id, WAITING, longer)
}

/** When the next one is due, in milliseconds of this device's clock; undefined when nothing waits. */
export async function nextDueAt(ports: Reading): Promise<number | undefined> {
  const { waiting, unfinished } = await readWaiting(ports)
  const rows = [...waiting, ...unfinished]
  const rest = restsOf(rows, ports.now())
  return earliest(rows.map((row) => ({ nextAt: Math.max(row.nextAt, rest(row)) })))
}

/**
 * What became of the voids whose answer was lost (rule 9.13): one that arrived late is shown as voided here too. It is asked until
 * the server says that nothing can arrive any more: the clock of this device may jump.
 */
async function askAboutVoids(ports: SenderPorts, rows: readonly TillRow[], again: boolean): Promise<void> {
  const { database, wire, now } = ports
  for (const row of rows) {
    if (!isDue(ports, row, again)) continue
    const answer = await wire.ask(row)
    if (answer.kind === 'later') {
      if ((await putOff(ports, row, answer)) === 'goes on') continue
      return
    }
    const attempts = row.attempts + 1
    const said = answer.kind === 'done' ? answer.answer : undefined
    const isOpen = said?.state === 'redeemed' && said.can_be_voided !== false
    await changeTillRow(database, row.id, ['receipted'], () => ({
      attempts,
      nextAt: now() + backoffMs(attempts, ports),
      putOffAt: now(),
      restsForLine: undefined,
      busyAt: undefined,
      ...(said?.state === 'voided' ? { state: 'voided' } : isOpen ? {} : { voidSentAt: undefined }),
    }))
  }
}

/** Settles one row now, whatever else waits: before it is voided, or asked about anew. */
export async function settleOne(ports: SenderPorts, id: string): Promise<void> {
  const row = await readTillRow(ports.database, id)
  if (row && isWaiting(row)) await sendOne(ports, row)
}
