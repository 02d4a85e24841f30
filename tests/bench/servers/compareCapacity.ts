import { cpuSecondsOf, type ServerProcess } from '../../support/server/serverProcess.ts'
import { asked, row, type Bench, type Comparison } from '../comparison.ts'
import { withDatabase, withServers, type BenchDatabase } from '../load/benchDatabase.ts'
import { issueVouchers, runSql } from '../load/counterSql.ts'
import { countersAndLedger } from '../load/ledger.ts'
import { medianRate, repeated, waitForQuietMachine, type Rate } from '../measure.ts'
import { apiLoad, WARM_UP_SECONDS } from '../redemptions/redemptionLoad.ts'

const TILLS = [1, 2, 4, 8, 16, 32, 64, 128]
const PROCESSES = [1, 2]
const VOUCHERS_PER_SECOND = 1_500
/** The required rate of one server process with sixteen tills. */
const ASKED = { ...asked('18.12', 600, 'per second'), against: 'what is asked of one process (rule 18.12)' }
const ASKED_TILLS = 16
const ASKED_P99_MS = 100

interface Point extends Rate {
  tills: number
  /** Processor time of a voucher from its check to its receipt, in milliseconds. */
  serverMs: number
  databaseMs: number
}

/**
 * Vouchers per second from check to receipt, and the 99th percentile of answers, for each number of tills: with one
 * server process and with two on one database.
 */
export const compareCapacity = (bench: Bench): Promise<Comparison[]> =>
  withDatabase(countersAndLedger({ tills: Math.max(...TILLS), vouchers: 1 }), async (place) => {
    const curves = new Map<number, Point[]>()
    for (const processes of PROCESSES) {
      const curve = (servers: ServerProcess[]) => curveOf(place, servers, bench)
      curves.set(processes, await withServers(place.env, processes, curve))
    }
    return [...curves].flatMap(([processes, points]) => points.flatMap((point) => rowsOf(processes, point)))
  })

async function curveOf(
  { url, secrets }: BenchDatabase,
  servers: ServerProcess[],
  { runs, seconds }: Bench,
): Promise<Point[]> {
  const points: Point[] = []
  for (const tills of TILLS.filter((one) => one >= servers.length)) {
    const measure = async (): Promise<Point> => {
      await runSql(url, issueVouchers((WARM_UP_SECONDS + seconds) * VOUCHERS_PER_SECOND), 'CHECKPOINT')
      await waitForQuietMachine()
      let before = [0, 0]
      const onWarm = async () => void (before = await processorSeconds(url, servers))
      const rate = await apiLoad({ servers, secrets, tills, seconds, verify: true, onWarm })
      const after = await processorSeconds(url, servers)
      const [serverMs, databaseMs] = after.map(
        (used, of) => (1_000 * (used - before[of]!)) / (rate.perSecond * seconds),
      )
      return { ...rate, tills, serverMs: serverMs!, databaseMs: databaseMs! }
    }
    points.push(medianRate(await repeated(runs, measure)))
  }
  return points
}

/** Processor seconds used so far by the servers, and by the database processes that still run. */
async function processorSeconds(url: string, servers: ServerProcess[]): Promise<number[]> {
  const backends = await runSql(url, 'SELECT pid FROM pg_stat_activity')
  const sum = (seconds: number[]) => seconds.reduce((total, one) => total + one, 0)
  return [
    sum(servers.map((server) => server.cpuSeconds())),
    sum(backends.map(({ pid }) => backendSeconds(Number(pid)))),
  ]
}

function backendSeconds(pid: number): number {
  try {
    return cpuSecondsOf(pid)
  } catch {
    // The process ended meanwhile.
    return 0
  }
}

function rowsOf(processes: number, { tills, perSecond, p99, serverMs, databaseMs }: Point): Comparison[] {
  const named = `check to receipt, ${tills} tills, ${processes === 1 ? 'one server process' : `${processes} processes`}`
  const goal = processes === 1 && tills === ASKED_TILLS ? '≥ 1.00' : undefined
  const ofDatabase = { baseline: databaseMs, unit: 'ms a voucher', against: 'that of the database' }
  return [
    row(`${named}: API`, perSecond, { ...ASKED, p99: { product: p99, baseline: ASKED_P99_MS } }, goal),
    row(`${named}: processor of the server`, serverMs, ofDatabase),
  ]
}
