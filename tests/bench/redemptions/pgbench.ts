import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEBIAN_POSTGRES } from '../../support/database/debianPostgres.ts'
import type { SentStatement } from '../../support/database/sentStatements.ts'
import { holdId, PGBENCH_SERIAL, serialOf, sqlHoldId, sqlTillSession, tillUser } from '../load/counterSql.ts'
import { rateOf, type Rate } from '../measure.ts'

interface PgbenchRun {
  url: string
  /** A pgbench script; the statements may use `:client_id` and the script's own `\set` variables. */
  script: string
  clients: number
  seconds: number
}

/**
 * Runs a script with prepared statements on one pgbench thread, as one server process would.
 * @throws Error with pgbench's own output when a client aborts.
 */
export function pgbench({ url, script, clients, seconds }: PgbenchRun): Rate {
  const folder = mkdtempSync(join(tmpdir(), 'pgbench-'))
  try {
    const file = join(folder, 'script.sql')
    writeFileSync(file, script)
    const fixed = ['-n', '-M', 'prepared', '-j', '1', '-l', '--log-prefix', join(folder, 'calls')]
    const args = [...fixed, '-c', String(clients), '-T', String(seconds), '-D', 'turn=-1', '-f', file, url]
    const run = spawnSync(join(DEBIAN_POSTGRES, 'pgbench'), args, { encoding: 'utf8' })
    if (run.status !== 0) throw new Error(`pgbench failed: ${run.error?.message ?? run.stdout + run.stderr}`)
    return rateOf(latencies(folder), seconds)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Reads the log of single calls: client, call number, microseconds, … */
function latencies(folder: string): number[] {
  const logs = readdirSync(folder).filter((name) => name.startsWith('calls.'))
  const lines = logs.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  return lines.filter(Boolean).map((line) => Number(line.split(' ')[2]) / 1_000)
}

/**
 * Turns the statements that the product sent for one voucher into a pgbench script. Each client is a till of its own, takes every
 * `clients`-th voucher, and sends a transaction in one packet, as the product does. pgbench has no UUIDs, so SQL makes the ids, which
 * slows pgbench a little.
 */
export function replayOf(clients: number, sent: readonly SentStatement[]): string {
  const own = new Map([
    [serialOf(RECORDED), ':serial'],
    [holdId(RECORDED), sqlHoldId(':n::bigint')],
    [tillUser(0), sqlTillSession(':client_id::int')],
  ])
  const valueOf = (value: unknown): string =>
    Array.isArray(value) ? `ARRAY[${value.map(valueOf).join()}]` : (own.get(String(value)) ?? literal(value))
  const statements = sent.map(({ text, values }) => {
    const replayed = `${text.replaceAll(/\$\d+/g, (parameter) => valueOf(values[Number(parameter.slice(1)) - 1]))};`
    if (text.startsWith('BEGIN')) return `${String.raw`\startpipeline`}\n${replayed}`
    return text === 'COMMIT' ? `${replayed}\n${String.raw`\endpipeline`}` : replayed
  })
  const next = [String.raw`\set turn :turn + 1`, String.raw`\set n :client_id + ${clients} * :turn`, PGBENCH_SERIAL]
  return [...next, ...statements].join('\n')
}

/** The voucher that was redeemed to record the statements; its number is above those of the load. */
export const RECORDED = 999_999

function literal(value: unknown): string {
  if (value === null || value === undefined) return 'NULL'
  if (value instanceof Date) return `'${value.toISOString()}'`
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : JSON.stringify(value)
}
