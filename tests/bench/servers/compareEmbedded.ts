import { readdirSync, readFileSync } from 'node:fs'
import { startServer, type ServerProcess } from '../../support/server/serverProcess.ts'
import type { Comparison } from '../comparison.ts'
import { makeEmbeddedDatabase } from '../load/benchDatabase.ts'
import { rateOf } from '../rate.ts'
import { redeemSteadily } from '../redemptions/redemptionLoad.ts'

const TILLS = 16
const PER_SECOND = 100
const ASKED = { startMs: 10_000, bytes: 350 * 1_024 * 1_024 }

/** A server with a PostgreSQL of its own: how soon it answers, and what both take after 16 tills have redeemed for a while. */
export async function compareEmbedded({ seconds }: { seconds: number }): Promise<Comparison[]> {
  const place = await makeEmbeddedDatabase({ tills: TILLS, vouchers: PER_SECOND * seconds })
  const empty = await makeEmbeddedDatabase({ tills: 0, vouchers: 0 })
  try {
    const first = await timeOfStart({ ...empty.env, DATA_DIR: `${empty.env['DATA_DIR']}/new` })
    await first.server.stop()
    const { server, ms } = await timeOfStart(place.env)
    const answered = await redeemSteadily(server, place.secrets, { tills: TILLS, perSecond: PER_SECOND, seconds })
    const failed = answered.filter(({ status }) => status !== '200')
    if (failed.length > 0) throw new Error(`${failed.length} of ${answered.length} were not redeemed`)
    const times = answered.map(({ ms }) => ms)
    const memory = memoryOf(server.pid)
    await server.stop()
    const against = 'what is asked'
    const redeemed = `${TILLS} tills, ${PER_SECOND} redemptions a second for ${seconds} s`
    return [
      {
        what: 'start on an empty folder',
        product: first.ms,
        baseline: ASKED.startMs,
        unit: 'ms',
        against,
        goal: '≤ 1.00',
      },
      { what: 'start', product: ms, baseline: ASKED.startMs, unit: 'ms', against, goal: '≤ 1.00' },
      {
        what: `memory of server and PostgreSQL after ${redeemed}`,
        product: memory / 1_048_576,
        baseline: ASKED.bytes / 1_048_576,
        unit: 'MiB',
        against,
        goal: '≤ 1.00',
        p99: { product: rateOf(times, seconds).p99 },
      },
    ]
  } finally {
    await place.remove()
    await empty.remove()
  }
}

async function timeOfStart(env: Record<string, string>): Promise<{ server: ServerProcess; ms: number }> {
  const began = performance.now()
  const server = await startServer(env)
  return { server, ms: performance.now() - began }
}

/** Of a process and all below it; a page that several of them share is counted once (PSS, proc(5)). */
function memoryOf(pid: number): number {
  const processes = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
  const own = Number(/^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1]) * 1_024
  const children = processes.filter((one) => parentOf(one) === pid)
  return children.reduce((sum, child) => sum + memoryOf(child), own)
}

function parentOf(pid: number): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}
