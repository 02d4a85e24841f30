import { Client } from 'pg'
import type { DatabaseNode } from '../cluster/DatabaseNode.ts'
import type { Cluster } from '../cluster/startCluster.ts'

const LONGEST_MS = 2_000

/** True when PostgreSQL on this node would take a write: asked from its own machine, not over the network. No answer counts as false. */
export async function takesWrites(cluster: Pick<Cluster, 'superuserUrl'>, node: DatabaseNode): Promise<boolean> {
  return onNode(cluster, node, async (client) => {
    const { rows } = await client.query<{ is: boolean }>('SELECT NOT pg_is_in_recovery() AS is')
    return rows[0]!.is
  }).catch(() => false)
}

/** Writes until PostgreSQL ends because it has no room for WAL; it uses up its kept segments first. */
export async function writeUntilDiskFull(cluster: Pick<Cluster, 'superuserUrl'>, node: DatabaseNode): Promise<void> {
  const filling = onNode(cluster, node, async (client) => {
    for (;;) await client.query(`SELECT pg_logical_emit_message(false, 'full', repeat('x', 1000000)), pg_switch_wal()`)
  })
  await filling.catch((error: unknown) => console.log(`PostgreSQL of ${node.name} has ended: ${String(error)}`))
}

/** Runs `work` over a connection from the same machine. */
async function onNode<T>(
  { superuserUrl }: Pick<Cluster, 'superuserUrl'>,
  { port }: DatabaseNode,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const url = new URL(superuserUrl)
  url.port = String(port)
  const client = new Client({
    connectionString: url.href,
    connectionTimeoutMillis: LONGEST_MS,
    options: '-c synchronous_commit=off',
  })
  // The waiting query reports the error.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
