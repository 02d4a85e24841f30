import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client'
import { CODES_OF_DEVICES, type Trouble } from '../src/contract/devices/troubles.ts'
import { ERROR_STATUS, type ErrorCode } from '../src/contract/envelope.ts'
import type { Clock } from './Clock.ts'
import { readBacklog } from './db/engine/backlog.ts'
import type { Database } from './db/engine/Database.ts'
import { WRITABILITY } from './db/engine/Primary.ts'
import type { Queues } from './services/queues.ts'

interface AnsweredRequest {
  method: string
  /** The declared route, which contains no id or serial. */
  route: string
  status: number
  error: ErrorCode | undefined
  seconds: number
}

/** Counts the work of this process since its start, and shows the state of its shared database. */
export interface Metrics {
  requestAnswered(request: AnsweredRequest): void
  /** Counts an acknowledged redemption; a replay repeats an earlier answer. */
  redeemed(amountCents: number, replayed: boolean): void
  /** Counts a voucher that was put on hold. */
  held(): void
  /** Counts a request for a voucher that does not exist. */
  unknownSerial(): void
  /** Counts a problem that a device reports. An unknown code counts as OTHER, so that a client cannot create new series. */
  deviceTrouble(trouble: Pick<Trouble, 'about' | 'code' | 'times'>): void
  /** Returns all metrics in the text format of Prometheus. If the database does not answer, `portal_database_up` is 0. */
  text(): Promise<string>
  contentType: string
}

/** The limits of the buckets in seconds: around the allowed time of a request, and up to the statement timeout. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** `ofProcess` adds memory, processor time and the delay of the event loop, which are measured from then on. */
export function metrics(
  { database, clock, queues }: { database: Database; clock: Clock; queues: Queues },
  { ofProcess = false } = {},
): Metrics {
  const registry = new Registry()
  const registers = [registry]
  if (ofProcess) {
    collectDefaultMetrics({ register: registry })
    watchEventLoop(registers)
  }
  const requests = new Histogram({
    registers,
    name: 'portal_request_seconds',
    help: 'Time to the head of an answer, by declared route; error is the code of a refusal.',
    labelNames: ['method', 'route', 'status', 'error'],
    buckets: SECONDS,
  })
  const redemptions = new Counter({
    registers,
    name: 'portal_redemptions_total',
    help: 'Redemptions this process has acknowledged; replayed ones were in the ledger already.',
    labelNames: ['replayed'],
  })
  const cents = new Counter({
    registers,
    name: 'portal_redeemed_cents_total',
    help: 'Worth of the redemptions that are not replayed, in cents.',
  })
  const holds = new Counter({
    registers,
    name: 'portal_holds_total',
    help: 'Vouchers put on hold for a till, repeats included.',
  })
  const unknownSerials = new Counter({
    registers,
    name: 'portal_unknown_serials_total',
    help: 'Requests for vouchers that do not exist.',
  })
  const troubles = new Counter({
    registers,
    name: 'portal_device_troubles_total',
    help: 'Problems on devices, as the devices reported them later, by subject and code.',
    labelNames: ['about', 'code'],
  })
  watchPools(registers, database)
  watchPrimary(registers, database)
  watchQueues(registers, queues)
  const watchBacklog = backlogGauges(registers, { database, clock })
  return {
    requestAnswered: ({ seconds, error = 'none', ...labels }) => requests.observe({ ...labels, error }, seconds),
    redeemed(amountCents, replayed) {
      redemptions.inc({ replayed: String(replayed) })
      if (!replayed) cents.inc(amountCents)
    },
    held: () => holds.inc(),
    unknownSerial: () => unknownSerials.inc(),
    deviceTrouble: ({ about, code, times }) =>
      troubles.inc({ about, code: Object.hasOwn(ERROR_STATUS, code) || OF_DEVICES.has(code) ? code : 'OTHER' }, times),
    async text() {
      await watchBacklog()
      return registry.metrics()
    },
    contentType: registry.contentType,
  }
}

const OF_DEVICES: ReadonlySet<string> = new Set(CODES_OF_DEVICES)

const TICK_MS = 50
/** Shorter delays are everyday work. */
const FREEZE_MS = 100

/**
 * Counts the time in which this process could do only one thing. The figures of `nodejs_eventloop_lag` count samples instead of time, and each read
 * resets them: a person who reads them with curl hides a freeze from Prometheus.
 */
function watchEventLoop(registers: Registry[]): void {
  const frozen = new Counter({
    registers,
    name: 'portal_frozen_seconds_total',
    help: 'Time in which the event loop stood still for a tenth of a second or longer.',
  })
  let due = performance.now() + TICK_MS
  setInterval(() => {
    const late = performance.now() - due
    if (late >= FREEZE_MS) frozen.inc(late / 1_000)
    due = performance.now() + TICK_MS
  }, TICK_MS).unref()
}

function watchPools(registers: Registry[], database: Database): void {
  new Gauge({
    registers,
    name: 'portal_database_connections',
    help: 'Connections of this process by pool; "waiting" counts calls without a connection.',
    labelNames: ['pool', 'state'],
    collect() {
      for (const { pool, busy, idle, waiting } of database.pools()) {
        for (const [state, count] of Object.entries({ busy, idle, waiting })) this.set({ pool, state }, count)
      }
    },
  })
}

function watchPrimary(registers: Registry[], database: Database): void {
  new Gauge({
    registers,
    name: 'portal_database_writability',
    help: 'Whether writes are possible: 1 at the current state. Unless this is writable, the server refuses every write.',
    labelNames: ['state'],
    collect() {
      for (const state of WRITABILITY) this.set({ state }, state === database.writability() ? 1 : 0)
    },
  })
}

function watchQueues(registers: Registry[], queues: Queues): void {
  new Gauge({
    registers,
    name: 'portal_queue',
    help: 'Calls that run and calls that wait at this moment, by queue (server/services/queues.ts).',
    labelNames: ['queue', 'state'],
    collect() {
      for (const [queue, one] of Object.entries(queues)) {
        for (const [state, count] of Object.entries(one.state())) this.set({ queue, state }, count)
      }
    },
  })
}

/** Reads all figures at once. They are left out if the database does not answer, so that no old figures are shown. */
function backlogGauges(registers: Registry[], { database, clock }: { database: Database; clock: Clock }) {
  const gauge = (name: string, help: string) => new Gauge({ registers, name, help })
  const up = gauge('portal_database_up', 'Whether the database answered when these metrics were read.')
  const mails = gauge('portal_outbox_mails', 'Mails that wait to be sent, on all servers together.')
  const age = gauge('portal_outbox_oldest_seconds', 'How long the oldest waiting mail has been due.')
  const refused = gauge('portal_outbox_refused', 'Mails refused for good in the last day, on all servers together.')
  const open = gauge('portal_open_holds', 'Vouchers on hold at this moment, on all servers together.')
  const ahead = gauge(
    'portal_clock_ahead_seconds',
    'How far the clock of this process is ahead of that of the database.',
  )
  return async () => {
    try {
      const backlog = await readBacklog(database.db, clock.now())
      up.set(1)
      mails.set(backlog.mails)
      age.set(backlog.oldestMailSeconds)
      refused.set(backlog.refusedMails)
      open.set(backlog.openHolds)
      ahead.set(backlog.aheadSeconds)
    } catch {
      up.set(0)
      for (const unknown of [mails, age, refused, open, ahead]) unknown.remove()
    }
  }
}
