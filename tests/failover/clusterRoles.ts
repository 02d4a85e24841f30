import { membersOf, type Member } from '../cluster/clusterState.ts'
import type { DatabaseNode } from '../cluster/DatabaseNode.ts'
import type { Cluster } from '../cluster/startCluster.ts'
import { until } from '../cluster/until.ts'

/** Longer than a failover may take. */
export const MOVE_SECONDS = 90

const nodeOf = ({ nodes }: Cluster, name: string): DatabaseNode => nodes.find((node) => node.name === name)!

export const nodeWith = (cluster: Cluster, role: Member['role']): Promise<DatabaseNode> =>
  until(`a ${role}`, MOVE_SECONDS, async () => {
    const found = (await membersOf(cluster.nodes)).find((member) => member.role === role)
    return found && nodeOf(cluster, found.name)
  })

/** Waits until another node than `before` has the role. */
export async function untilOther(
  cluster: Cluster,
  role: Member['role'],
  before: DatabaseNode,
  seconds = MOVE_SECONDS,
): Promise<void> {
  const others = cluster.nodes.filter((node) => node !== before)
  await until(`another ${role} than ${before.name}`, seconds, async () => {
    const members = await membersOf(others)
    return members.some((member) => member.role === role && member.name !== before.name) || undefined
  })
}
