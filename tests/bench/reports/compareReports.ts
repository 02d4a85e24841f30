import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import { join } from 'node:path'
import { DEBIAN_POSTGRES } from '../../support/database/debianPostgres.ts'
import { median } from '../../support/server/responseTimes.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import { row, type Bench, type Comparison } from '../comparison.ts'
import { withServer } from '../load/benchDatabase.ts'
import { runSql } from '../load/counterSql.ts'
import { COPY_LEDGER, LEDGER, MAIN_ACCOUNT, ROWS } from '../load/ledger.ts'
import { answeredLoad } from '../load/loads.ts'
import { rawRequest, tokenIssuer } from '../load/requests.ts'
import { inTurns, repeated, waitForQuietMachine } from '../measure.ts'

const SETTLING = 7

const MIB = 1_024 * 1_024

const FORMATS = [
  { format: 'csv', name: 'CSV', goal: undefined, mostMib: 20 },
  { format: 'xlsx', name: 'XLSX', goal: undefined, mostMib: 64 },
] as const

type Format = (typeof FORMATS)[number]['format']

/** A report file of 200,000 redemptions through the API against `psql \copy` of the same rows, and what it costs the others. */
export const compareReports = (bench: Bench): Promise<Comparison[]> =>
  withServer([], async (server, place) => {
    // While it runs, as it seals and filters at its start what is there.
    await runSql(place.url, ...LEDGER, 'VACUUM ANALYZE')
    const token = await tokenIssuer(server.url, place.secrets)(MAIN_ACCOUNT)
    const make = (format: Format) => report(server, token, format)
    // The first of each fills the caches of the database, and what the process keeps for all of them.
    for (const { format } of FORMATS) await make(format)
    const results: Comparison[] = []
    // One format after the other: what a workbook leaves behind is not tidied up while a CSV is measured.
    for (const one of FORMATS) results.push(...(await besidePsql(place.url, bench.runs, one, make)))
    const light = () => lightRequests(server, token, bench.seconds)
    const quiet = { baseline: await light(), unit: 'ms', against: 'the same without a report' }
    for (const { format, name } of FORMATS) {
      const p99 = await beside(() => make(format), light)
      results.push(row(`99 of 100 light requests beside it as ${name}`, p99, quiet))
    }
    return results
  })

/** Until the compiler has settled each takes less time than the one before; what they add is seen then, where it is new. */
async function besidePsql(
  url: string,
  runs: number,
  { format, name, goal, mostMib }: (typeof FORMATS)[number],
  make: (format: Format) => Promise<Made>,
): Promise<Comparison[]> {
  const early = await repeated(SETTLING, () => make(format))
  await waitForQuietMachine()
  const { psql, made } = await inTurns(runs, { psql: async () => psqlCopy(url), made: () => make(format) })
  const ofPsql = { baseline: median(psql), unit: 'rows per second', against: String.raw`psql \copy of the same rows` }
  const most = { baseline: mostMib, unit: 'MiB', against: 'what it may add' }
  const added = median(early.map(({ addedBytes }) => addedBytes)) / MIB
  return [
    row(`report of 200,000 redemptions as ${name}`, median(made.map((one) => one.rowsPerSecond)), ofPsql, goal),
    row(`memory that it adds as ${name}`, added, most, '≤ 1.00'),
  ]
}

interface Made {
  rowsPerSecond: number
  addedBytes: number
}

/** Reads it to its end and keeps nothing of it. Throws when it breaks off. */
async function report({ host, port, watchMemory }: ServerProcess, token: string, format: Format): Promise<Made> {
  const path = '/reporting/report/merchant/transaction_report'
  const headers = { authorization: `Bearer ${token}`, 'login-type': 'MERCHANT', 'content-type': 'application/json' }
  const memoryPeak = watchMemory()
  const started = performance.now()
  const call = request({ host, port, path, method: 'POST', headers })
  call.end(JSON.stringify({ from: '2026-09-01', to: '2026-10-31', format }))
  const [answer] = (await once(call, 'response')) as [IncomingMessage]
  await once(answer.resume(), 'end')
  const seconds = (performance.now() - started) / 1_000
  // As the answer's own header has it.
  const rows = Number(answer.headers['x-row-count'])
  if (answer.statusCode !== 200 || rows !== ROWS) throw new Error(`${format}: ${answer.statusCode}, ${rows} rows`)
  return { rowsPerSecond: ROWS / seconds, addedBytes: memoryPeak() }
}

/** Rows per second by psql's own clock, which does not count its start. */
function psqlCopy(url: string): number {
  const copy = String.raw`\copy (${COPY_LEDGER}) TO '/dev/null' CSV HEADER`
  const psql = join(DEBIAN_POSTGRES, 'psql')
  const printed = execFileSync(psql, ['-X', url, '-c', String.raw`\timing on`, '-c', copy], { encoding: 'utf8' })
  const milliseconds = Number(/Time: ([\d.]+) ms/.exec(printed)?.[1])
  if (!(milliseconds > 0)) throw new Error(`psql said: ${printed}`)
  return (ROWS / milliseconds) * 1_000
}

/** 99 of 100 answers of a light request come within this many milliseconds. */
async function lightRequests(server: ServerProcess, token: string, seconds: number): Promise<number> {
  const text = rawRequest({ host: server.host, method: 'GET', path: '/api/account/my_info', token })
  return (await answeredLoad({ servers: [server], connections: 1, seconds, nextRequest: () => text })).p99
}

/** Measures while one report follows the other. */
async function beside<T>(make: () => Promise<Made>, measure: () => Promise<T>): Promise<T> {
  let isDone = false
  const reports = (async () => {
    while (!isDone) await make()
  })()
  const measured = await measure()
  isDone = true
  await reports
  return measured
}
