import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Database, Statement } from '../../../server/db/engine/Database.ts'
import { openPostgresql } from '../../../server/db/engine/openPostgresql.ts'
import { freePort } from '../../support/server/freePort.ts'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import { silentLog } from '../../support/server/silentLog.ts'
import type { Bench, Comparison } from '../comparison.ts'
import { startBenchDatabase, type BenchDatabase } from '../load/benchDatabase.ts'
import { execute, issueVouchers } from '../load/counterSql.ts'
import { waitForQuietMachine } from '../quietMachine.ts'
import { medianRate, type Rate } from '../rate.ts'
import { apiLoad } from '../redemptions/redemptionLoad.ts'
import { lineChart, type Line } from './lineChart.ts'

const TILLS = [1, 2, 4, 8, 16, 32, 64, 128]
const PROCESSES = [1, 2]
const WARM_UP_SECONDS = 1
const VOUCHERS_PER_SECOND = 1_500
/** What is asked of one server process (rule 18.12). */
const ASKED = { perSecond: 600, tills: 16, p99Ms: 100 }
const PICTURES = join(import.meta.dirname, '../../../docs/capacity')

interface Point extends Rate {
  tills: number
  /** Processor time of a voucher, from its check to its receipt; milliseconds. */
  serverMs: number
  databaseMs: number
}

/**
 * Vouchers a second from check to receipt, and what the slowest of a hundred answers takes, against the number of tills: with one
 * server process and with two on one database. Draws both for docs/CAPACITY.md.
 */
export async function compareCapacity({ runs, seconds }: Bench): Promise<Comparison[]> {
  mkdirSync(PICTURES, { recursive: true })
  const vouchers = (WARM_UP_SECONDS + seconds) * VOUCHERS_PER_SECOND
  const place = await startBenchDatabase({ tills: Math.max(...TILLS), vouchers: 1 })
  const database = await openPostgresql(place.url, silentLog)
  try {
    const curves = new Map<number, Point[]>()
    for (const processes of PROCESSES) {
      curves.set(processes, await curveOf({ place, database, processes, runs, seconds, vouchers }))
    }
    draw(curves)
    return [...curves].flatMap(([processes, points]) => points.flatMap((point) => rowsOf(processes, point)))
  } finally {
    await database.close()
    await place.remove()
  }
}

interface CurveOf extends Bench {
  place: BenchDatabase
  database: Database
  processes: number
  vouchers: number
}

async function curveOf({ place, database, processes, runs, seconds, vouchers }: CurveOf): Promise<Point[]> {
  const ports = await Promise.all(Array.from({ length: processes }, () => freePort()))
  // One address for all, as behind a proxy: it is in every token.
  const PUBLIC_URL = `http://127.0.0.1:${ports[0]}`
  const servers = await Promise.all(ports.map((port) => startServer({ ...place.env, PUBLIC_URL }, port)))
  const load = { server: servers[0]!, ports, secrets: place.secrets, seconds, vouchers, verify: true }
  try {
    const points: Point[] = []
    for (const tills of TILLS.filter((one) => one >= processes)) {
      const measured: Point[] = []
      for (let run = 0; run < runs; run += 1) {
        await execute(database, issueVouchers(vouchers))
        await execute(database, 'CHECKPOINT')
        await waitForQuietMachine()
        const processors = await processorsOf(database, servers)
        const rate = await apiLoad({
          ...load,
          connections: tills,
          warmUpSeconds: WARM_UP_SECONDS,
          onWarm: processors.begin,
        })
        measured.push({ ...rate, tills, ...processors.each(rate.perSecond * seconds) })
      }
      points.push(medianRate(measured))
    }
    return points
  } finally {
    await Promise.all(servers.map((server) => server.stop()))
  }
}

/** What the servers and the database use from `begin` on; `each` shares it among so many vouchers. */
async function processorsOf(database: Database, servers: ServerProcess[]) {
  const [row] = await database.run(OWN_BACKEND, [])
  const postmaster = Number(statOf(row!.pid)[1])
  const read = () => ({
    server: servers.reduce((sum, server) => sum + server.cpuSeconds(), 0),
    database: processorSecondsOfChildren(postmaster),
  })
  let before = read()
  return {
    begin: async () => {
      before = read()
    },
    each(vouchers: number) {
      const after = read()
      return {
        serverMs: (1_000 * (after.server - before.server)) / vouchers,
        databaseMs: (1_000 * (after.database - before.database)) / vouchers,
      }
    },
  }
}

const OWN_BACKEND: Statement<[], { pid: number }> = { name: 'own_backend', text: 'SELECT pg_backend_pid() AS pid' }

/** Fields of /proc/…/stat from the state on (proc(5)); the name before them may hold blanks. */
function statOf(pid: number | string): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const TICKS_PER_SECOND = 100

function processorSecondsOfChildren(parent: number): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  const ticks = pids.map((pid) => {
    try {
      const fields = statOf(pid)
      return Number(fields[1]) === parent ? Number(fields[11]) + Number(fields[12]) : 0
    } catch {
      // It ended meanwhile.
      return 0
    }
  })
  return ticks.reduce((sum, one) => sum + one, 0) / TICKS_PER_SECOND
}

function rowsOf(processes: number, point: Point): Comparison[] {
  const { tills, perSecond, p99, serverMs, databaseMs } = point
  const named = `check to receipt, ${tills} tills, ${processes === 1 ? 'one server process' : `${processes} processes`}`
  const isAsked = processes === 1 && tills === ASKED.tills
  const rate = {
    what: `${named}: API`,
    product: perSecond,
    baseline: ASKED.perSecond,
    unit: 'per second',
    against: 'what is asked of one process (rule 18.12)',
    p99: { product: p99, baseline: ASKED.p99Ms },
    ...(isAsked ? { goal: '≥ 1.00' } : {}),
  }
  const processor = {
    what: `${named}: processor of the server`,
    product: serverMs,
    baseline: databaseMs,
    unit: 'ms a voucher',
    against: 'that of the database',
  }
  return [rate, processor]
}

function draw(curves: Map<number, Point[]>): void {
  const lines = (of: (point: Point) => number, name = ''): Line[] =>
    [...curves].map(([processes, points]) => ({
      name: `${name}${processes === 1 ? '1 process' : `${processes} processes`}`,
      points: points.map((point) => ({ x: point.tills, y: of(point) })),
    }))
  const chart = (file: string, title: string, unit: string, drawn: Line[]) =>
    writeFileSync(join(PICTURES, file), lineChart({ title, x: 'tills', y: unit, lines: drawn }))
  chart(
    'rate.svg',
    'Vouchers from check to receipt',
    'per second',
    lines(({ perSecond }) => perSecond),
  )
  chart('latency.svg', 'Time of an answer', 'milliseconds', [
    ...lines(({ p50 }) => p50, 'p50, '),
    ...lines(({ p99 }) => p99, 'p99, '),
  ])
}
