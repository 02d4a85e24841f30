import { membersOf, readiness, type Member } from './clusterState.ts'
import type { Cluster } from './startCluster.ts'

const ROLES: Record<Member['role'], string> = {
  leader: 'leads',
  sync_standby: 'synchronous standby',
  replica: 'standby',
}

const row = (...cells: string[]) => cells.map((cell, n) => (n === cells.length - 1 ? cell : cell.padEnd(24))).join('')

/** The lines of the cluster's status. */
export async function statusPage({ nodes, servers, proxy }: Cluster): Promise<string[]> {
  const [members, states] = await Promise.all([
    membersOf(nodes),
    Promise.all(servers.map(async ({ url }) => row(url, await readiness(url)))),
  ])
  return [
    row('PostgreSQL', 'is', 'state', 'bytes behind'),
    ...nodes.map(({ name }) => memberRow(name, members)),
    '',
    row('Portal server', 'is'),
    ...states,
    '',
    `Portal: ${proxy.url} (with a certificate of its own; the browser warns)`,
  ]
}

function memberRow(name: string, members: readonly Member[]): string {
  const member = members.find((one) => one.name === name)
  if (!member) return row(name, 'away')
  const { role, state, lag } = member
  return row(name, ROLES[role] ?? role, state, role === 'leader' ? '' : String(lag ?? 'unknown'))
}
