import { NODES, type ClusterSettings } from './settings.ts'

/** Environment variables for deploy/cluster/haproxy.cfg. */
export function haproxyEnvironment(
  ports: Pick<ClusterSettings['ports'], 'leader' | 'postgres' | 'rest'>,
): Record<string, string> {
  const nodes = NODES.flatMap(({ address }, n): [string, string][] => [
    [`NODE${n + 1}`, `${address}:${ports.postgres[n]}`],
    [`NODE${n + 1}_REST_PORT`, String(ports.rest[n])],
  ])
  return { LEADER: `127.0.0.1:${ports.leader}`, ...Object.fromEntries(nodes) }
}
