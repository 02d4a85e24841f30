import { readiness } from '../cluster/clusterState.ts'
import { NODES } from '../cluster/settings.ts'
import { until } from '../cluster/until.ts'
import { ballastOn } from '../support/faults/disks.ts'
import { setClock } from '../support/operations/fakeClock.ts'
import { MOVE_SECONDS, nodeWith, untilOther } from './clusterRoles.ts'
import { cutOff } from './cutOff.ts'
import type { Fault } from './faults.ts'
import { writeUntilDiskFull, takesWrites } from './onNode.ts'

/** A leader may lead for at most the `ttl` of deploy/cluster/patroni.yml after it was last seen. */
const LONGER_THAN_TTL_SECONDS = 30
const HOUR_MS = 3_600_000

/** Programs that the faults need beside those of the cluster, with their packages. */
export const FAULT_PACKAGES = { iptables: 'iptables', faketime: 'faketime', 'mkfs.ext4': 'e2fsprogs' }

/** Faults in a machine's surroundings: the network, etcd, its disk, its clock. */
export const SURROUNDING_FAULTS = {
  /** The leader does not know that another one leads, and its own clients are cut off with it. */
  'leader cut off from the others': async (cluster) => {
    const leader = await nodeWith(cluster, 'leader')
    const since = performance.now()
    const plugIn = cutOff(leader.addresses)
    try {
      await untilOther(cluster, 'leader', leader)
      if (await takesWrites(cluster, leader)) throw new Error(`${leader.name} takes writes, and so does another one.`)
    } finally {
      plugIn()
    }
    return since
  },

  /** Time counts from the return of etcd: without it no node may lead. */
  'etcd away for longer than the ttl': async (cluster) => {
    const gone = performance.now()
    const plugIn = cutOff(NODES.map(({ etcdAddress }) => etcdAddress))
    try {
      await until('servers that find nobody who takes writes', MOVE_SECONDS, async () => {
        const states = await Promise.all(cluster.servers.map(({ url }) => readiness(url)))
        const writers = await Promise.all(cluster.nodes.map((node) => takesWrites(cluster, node)))
        return (
          [...states.map((state) => state === 'read only'), ...writers.map((is) => !is)].every(Boolean) || undefined
        )
      })
      console.log(`Nobody takes writes ${((performance.now() - gone) / 1_000).toFixed(1)} s after etcd was gone.`)
      const isLonger = () => performance.now() - gone > LONGER_THAN_TTL_SECONDS * 1_000 || undefined
      await until('the leader to be forgotten', MOVE_SECONDS, isLonger)
    } finally {
      plugIn()
    }
    return performance.now()
  },

  'disk of the leader full': async (cluster) => {
    const leader = await nodeWith(cluster, 'leader')
    const since = performance.now()
    const ballast = ballastOn(leader.data)
    ballast.fill()
    try {
      await writeUntilDiskFull(cluster, leader)
      await untilOther(cluster, 'leader', leader)
    } finally {
      ballast.free()
    }
    return since
  },

  /** First ahead, then behind, as if a person had set the clock and overcorrected. */
  'clock of a server apart by an hour': async ({ clock, servers, redeemAsUsual }) => {
    const since = performance.now()
    for (const [by, ms] of [
      ['+1h', HOUR_MS],
      ['-1h', -HOUR_MS],
    ] as const) {
      setClock(clock, by)
      await until(`a server whose clock is apart by ${by}`, MOVE_SECONDS, async () => {
        const { headers } = await fetch(`${servers[1]!.url}/api/health`)
        return Math.abs(Date.parse(headers.get('date')!) - Date.now() - ms) < 5_000 || undefined
      })
      await redeemAsUsual()
    }
    setClock(clock, '+0')
    return since
  },
} satisfies Record<string, Fault>
