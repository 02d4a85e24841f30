import { execFileSync } from 'node:child_process'
import { request } from 'node:http'
import { join } from 'node:path'
import { DEBIAN_POSTGRES } from '../../support/database/debianPostgres.ts'
import { median } from '../../support/server/responseTimes.ts'
import type { ServerProcess } from '../../support/server/serverProcess.ts'
import type { Bench, Comparison } from '../comparison.ts'
import { withServer } from '../load/benchDatabase.ts'
import { runSql } from '../load/counterSql.ts'
import { keepAliveLoad } from '../load/keepAliveLoad.ts'
import { COPY_LEDGER, LEDGER, MAIN_ACCOUNT, ROWS } from '../load/ledger.ts'
import { tokenIssuer } from '../load/requests.ts'
import { waitForQuietMachine } from '../quietMachine.ts'

const SETTLING = 7

const MIB = 1_024 * 1_024

const FORMATS = ['csv', 'xlsx'] as const

type Format = (typeof FORMATS)[number]

/** A report file of 200,000 redemptions through the API against `psql \copy` of the same rows, and what it costs the others. */
export async function compareReports({ runs, seconds }: Bench): Promise<Comparison[]> {
  return withServer(async ({ url, server, secrets }) => {
    await runSql(url, ...LEDGER, 'VACUUM ANALYZE')
    const token = await tokenIssuer(server.url, secrets)(MAIN_ACCOUNT)
    const one = (format: Format) => report(server, token, format)
    /** Until the compiler has settled each takes less time than the one before; what they add is seen then, where it is new. */
    async function besidePsql(format: Format) {
      const early: Made[] = []
      for (let run = 0; run < SETTLING; run += 1) early.push(await one(format))
      await waitForQuietMachine()
      const [psql, made]: [number[], Made[]] = [[], []]
      for (let run = 0; run < runs; run += 1) {
        psql.push(psqlCopy(url))
        made.push(await one(format))
      }
      return { psql, early, made }
    }
    // The first of each fills the caches of the database, and what the process keeps for all of them.
    for (const format of FORMATS) await one(format)
    // One format after the other: what a workbook leaves behind is not tidied up while a CSV is measured.
    const { psql, early, made } = await besidePsql('csv')
    const workbooks = await besidePsql('xlsx')
    const quiet = await lightRequests(server, token, seconds)
    const besideCsv = await beside(one, 'csv', () => lightRequests(server, token, seconds))
    const besideXlsx = await beside(one, 'xlsx', () => lightRequests(server, token, seconds))
    const limit = median(psql)
    return [
      speed('CSV', made, limit, '≥ 0.70'),
      speed('XLSX', workbooks.made, median(workbooks.psql)),
      memory('CSV', early, 20),
      memory('XLSX', workbooks.early, 64),
      waiting('CSV', besideCsv, quiet),
      waiting('XLSX', besideXlsx, quiet),
    ]
  })
}

interface Made {
  rowsPerSecond: number
  addedBytes: number
}

async function report(server: ServerProcess, token: string, format: Format): Promise<Made> {
  const { host, port } = server
  const body = JSON.stringify({ from: '2026-09-01', to: '2026-10-31', format })
  const path = '/reporting/report/merchant/transaction_report'
  const headers = { authorization: `Bearer ${token}`, 'login-type': 'MERCHANT', 'content-type': 'application/json' }
  const memoryPeak = server.watchMemory()
  const started = performance.now()
  const answer = await readWhole({ host, port, path, headers, body })
  const seconds = (performance.now() - started) / 1_000
  if (answer.status !== 200 || answer.rows !== ROWS) throw new Error(`${format}: ${answer.status}, ${answer.rows} rows`)
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
async function lightRequests({ host, port }: ServerProcess, token: string, seconds: number): Promise<number> {
  const request = `GET /api/account/my_info HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  const rate = await keepAliveLoad({ host, port, connections: 1, seconds, nextRequest: () => request })
  if (Object.keys(rate.refused).length > 0) throw new Error(`the API refused: ${JSON.stringify(rate.refused)}`)
  return rate.p99
}

/** Measures while one report follows the other. */
async function beside<T>(
  one: (format: Format) => Promise<Made>,
  format: Format,
  measure: () => Promise<T>,
): Promise<T> {
  let isDone = false
  const reports = (async () => {
    while (!isDone) await one(format)
  })()
  const measured = await measure()
  isDone = true
  await reports
  return measured
}

const speed = (what: string, made: Made[], baseline: number, goal?: string): Comparison => ({
  what: `report of 200,000 redemptions as ${what}`,
  product: median(made.map(({ rowsPerSecond }) => rowsPerSecond)),
  baseline,
  unit: 'rows per second',
  against: String.raw`psql \copy of the same rows`,
  ...(goal && { goal }),
})

const memory = (what: string, made: Made[], mostMib: number): Comparison => ({
  what: `memory that it adds as ${what}`,
  product: median(made.map(({ addedBytes }) => addedBytes)) / MIB,
  baseline: mostMib,
  unit: 'MiB',
  against: 'what it may add',
  goal: '≤ 1.00',
})

const waiting = (what: string, product: number, baseline: number): Comparison => ({
  what: `99 of 100 light requests beside it as ${what}`,
  product,
  baseline,
  unit: 'ms',
  against: 'the same without a report',
})

interface Asked {
  host: string
  port: number
  path: string
  headers: Record<string, string>
  body: string
}

interface Whole {
  status: number | undefined
  /** As the answer's own header has it. */
  rows: number
}

/** Reads an answer to its end and keeps nothing of it. Throws when it breaks off. */
const readWhole = ({ host, port, path, headers, body }: Asked): Promise<Whole> =>
  new Promise((resolve, reject) => {
    const call = request({ host, port, path, method: 'POST', headers }, (response) => {
      response.resume()
      response.once('error', reject)
      response.once('end', () =>
        resolve({ status: response.statusCode, rows: Number(response.headers['x-row-count']) }),
      )
    })
    call.once('error', reject)
    call.end(body)
  })
