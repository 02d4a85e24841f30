import { spawnSync } from 'node:child_process'
import { cpus, loadavg, release, totalmem, type as system } from 'node:os'
import { join } from 'node:path'
import { DEBIAN_POSTGRES } from '../support/debianPostgres.ts'

/** What numbers belong to; the load is that of the end, the bench itself included. */
export function thisMachine(): string {
  const cores = cpus()
  const gib = (totalmem() / 1_024 ** 3).toFixed(0)
  const database = spawnSync(join(DEBIAN_POSTGRES, 'postgres'), ['--version'], { encoding: 'utf8' })
  const postgres = /[\d.]+/.exec(database.stdout ?? '')?.[0] ?? 'none'
  const load = loadavg().map((average) => average.toFixed(1))
  return [
    `${cores.length} × ${cores[0]?.model.trim()}, ${gib} GiB, ${system()} ${release()}, Node ${process.versions.node}, PostgreSQL ${postgres}.`,
    `The load of the last 1, 5 and 15 minutes: ${load.join(', ')}.`,
  ].join('\n')
}
