import { cpus, loadavg, release, totalmem, type as system } from 'node:os'
import manifest from '../../package.json' with { type: 'json' }

/** What numbers belong to; the load is that of the end, the bench itself included. */
export function describeMachine(): string {
  const cores = cpus()
  const gib = (totalmem() / 1_024 ** 3).toFixed(0)
  // All platforms have the same.
  const [postgres] = Object.values(manifest.optionalDependencies)
  const load = loadavg().map((average) => average.toFixed(1))
  return [
    `${cores.length} × ${cores[0]?.model.trim()}, ${gib} GiB, ${system()} ${release()}, Node ${process.versions.node}, PostgreSQL ${postgres}.`,
    `The load of the last 1, 5 and 15 minutes: ${load.join(', ')}.`,
  ].join('\n')
}
