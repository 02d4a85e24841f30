import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEBIAN_POSTGRES } from '../../support/database/debianPostgres.ts'
import { type Rate, rateOf } from '../rate.ts'

export interface PgbenchRun {
  url: string
  /** A pgbench script; `:client_id` and its own `\set` variables may stand in the statement. */
  script: string
  /** Starting values of variables. */
  variables: Record<string, number>
  clients: number
  seconds: number
}

/**
 * Runs a script with prepared statements on one pgbench thread, as one server process would.
 * @throws Error with pgbench's own output when a client aborts.
 */
export function pgbench({ url, script, variables, clients, seconds }: PgbenchRun): Rate {
  const folder = mkdtempSync(join(tmpdir(), 'pgbench-'))
  try {
    const file = join(folder, 'script.sql')
    writeFileSync(file, script)
    const defined = Object.entries(variables).flatMap(([name, value]) => ['-D', `${name}=${value}`])
    const fixed = ['-n', '-M', 'prepared', '-j', '1', '-l', '--log-prefix', join(folder, 'calls')]
    const args = [...fixed, '-c', String(clients), '-T', String(seconds), ...defined, '-f', file, url]
    const run = spawnSync(join(DEBIAN_POSTGRES, 'pgbench'), args, { encoding: 'utf8' })
    if (run.status !== 0) throw new Error(`pgbench failed: ${run.error?.message ?? run.stdout + run.stderr}`)
    return rateOf(latencies(folder), seconds)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The per-call log: client, call number, microseconds, … */
function latencies(folder: string): number[] {
  const logs = readdirSync(folder).filter((name) => name.startsWith('calls.'))
  const lines = logs.flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n'))
  return lines.filter(Boolean).map((line) => Number(line.split(' ')[2]) / 1_000)
}
