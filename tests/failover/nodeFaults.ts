import { ClusterError } from '../cluster/ClusterError.ts'
import { readiness } from '../cluster/clusterState.ts'
import type { DatabaseNode } from '../cluster/DatabaseNode.ts'
import type { Cluster } from '../cluster/startCluster.ts'
import { until } from '../cluster/until.ts'
import { cancelWaitingCommits } from './cancelWaitingCommits.ts'
import { MOVE_SECONDS, nodeWith, untilOther } from './clusterRoles.ts'
import type { Fault } from './faults.ts'

/** Seconds in which a standby that may lead takes over. */
const CHANCE_SECONDS = 40

/** Faults in which PostgreSQL or its whole machine ends, hangs or restarts. */
export const NODE_FAULTS = {
  'postmaster of the leader killed': async (cluster) => {
    const leader = await nodeWith(cluster, 'leader')
    const since = performance.now()
    leader.killPostmaster()
    return since
  },

  'node of the leader killed': async (cluster) => {
    const leader = await nodeWith(cluster, 'leader')
    const since = performance.now()
    await leader.kill()
    await untilOther(cluster, 'leader', leader)
    leader.start()
    return since
  },

  switchover: async (cluster) => {
    const [leader, candidate] = [await nodeWith(cluster, 'leader'), await nodeWith(cluster, 'sync_standby')]
    const since = performance.now()
    await command(cluster, leader, 'switchover', { leader: leader.name, candidate: candidate.name })
    await untilOther(cluster, 'leader', leader)
    return since
  },

  'synchronous standby paused': async (cluster) => {
    const standby = await nodeWith(cluster, 'sync_standby')
    const since = performance.now()
    standby.pause()
    try {
      await untilOther(cluster, 'sync_standby', standby)
    } finally {
      standby.goOn()
    }
    return since
  },

  /** Time counts from the start of the standbys: before that no till can redeem. */
  'leader restarted, standbys away': async (cluster) => {
    const leader = await nodeWith(cluster, 'leader')
    const standbys = cluster.nodes.filter((node) => node !== leader)
    await Promise.all(standbys.map((node) => node.kill()))
    await until('servers that say that the standby is away', MOVE_SECONDS, async () => {
      const states = await Promise.all(cluster.servers.map(({ url }) => readiness(url)))
      return states.every((state) => state === 'standby away') || undefined
    })
    await command(cluster, leader, 'restart', {})
    const since = performance.now()
    for (const node of standbys) node.start()
    return since
  },

  /** The worst that an operator can do: commits that no standby has are cut off, and then the machine is lost. */
  'leader killed, waits cut off before': async (cluster) => {
    const leader = await nodeWith(cluster, 'leader')
    const standbys = cluster.nodes.filter((node) => node !== leader)
    const cutOff = await cancelWaitingCommits(cluster.superuserUrl, () =>
      Promise.all(standbys.map((node) => node.kill())),
    )
    await leader.kill()
    console.log(`${cutOff} commits were cut off that no standby had.`)
    const since = performance.now()
    for (const node of standbys) node.start()
    // If Patroni had noticed before that both standbys were away, neither may lead, and the machine has to come back.
    await untilOther(cluster, 'leader', leader, CHANCE_SECONDS).catch((error: unknown) => {
      if (!(error instanceof ClusterError)) throw error
    })
    leader.start()
    return since
  },
} satisfies Record<string, Fault>

/** Calls Patroni's REST API, which answers when the command is done. */
async function command(cluster: Cluster, { restUrl }: DatabaseNode, what: string, body: object): Promise<void> {
  const headers = { authorization: cluster.authorization, 'content-type': 'application/json' }
  const answer = await fetch(`${restUrl}/${what}`, { method: 'POST', headers, body: JSON.stringify(body) })
  if (!answer.ok) throw new Error(`Patroni said to ${what}: ${answer.status} ${await answer.text()}`)
}
