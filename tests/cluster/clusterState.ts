import type { DatabaseNode } from './DatabaseNode.ts'

export interface Member {
  name: string
  role: 'leader' | 'sync_standby' | 'replica'
  state: string
  /** Bytes behind the leader as Patroni gives them: a number, or a word. */
  lag: number | string | undefined
}

const LONGEST_MS = 2_000

/** Returns the members that the first answering Patroni lists; none when no Patroni answers. */
export async function membersOf(nodes: readonly DatabaseNode[]): Promise<Member[]> {
  return Promise.any(nodes.map(askOne)).catch(() => [])
}

async function askOne({ restUrl }: DatabaseNode): Promise<Member[]> {
  const answer = await fetch(`${restUrl}/cluster`, { signal: AbortSignal.timeout(LONGEST_MS) })
  const { members } = (await answer.json()) as { members: Member[] }
  return members.map(({ name, role, state, lag }) => ({ name, role, state, lag }))
}

/** True when one node leads, one is the synchronous standby, and all three run and follow closely. */
export function isWhole(members: readonly Member[]): boolean {
  const count = (wanted: Member['role']) => members.filter(({ role }) => role === wanted).length
  const isNear = ({ role, lag }: Member) => role === 'leader' || lag === 0
  return (
    members.length === 3 &&
    count('leader') === 1 &&
    count('sync_standby') === 1 &&
    members.every((member) => ['running', 'streaming'].includes(member.state) && isNear(member))
  )
}

/** A server's own answer about its state: `ready`, or the reason why it is not. */
export async function readiness(url: string): Promise<string> {
  try {
    const answer = await fetch(`${url}/api/ready`, { signal: AbortSignal.timeout(LONGEST_MS) })
    if (answer.ok) return 'ready'
    const { error, data } = (await answer.json()) as { error: string; data?: { primary?: string } }
    return data?.primary ?? error
  } catch {
    return 'no answer'
  }
}
