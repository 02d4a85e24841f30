import { Client } from 'pg'
import type { DatabaseNode } from '../cluster/DatabaseNode.ts'
import type { Cluster } from '../cluster/startCluster.ts'

const LONGEST_MS = 2_000

/** Whether PostgreSQL of this node would take a write: asked on its own machine, past the network. One that does not answer takes none. */
export async function takesWrites(cluster: Pick<Cluster, 'superuserUrl'>, node: DatabaseNode): Promise<boolean> {
  return onNode(cluster, node, async (client) => {
    const { rows } = await client.query<{ is: boolean }>('SELECT NOT pg_is_in_recovery() AS is')
    return rows[0]!.is
  }).catch(() => false)
}

/** Until PostgreSQL ends because it finds no room for WAL: segments that it has kept are used first. */
export async function spendWal(cluster: Pick<Cluster, 'superuserUrl'>, node: DatabaseNode): Promise<void> {
  const filling = onNode(cluster, node, async (client) => {
    for (;;) await client.query(`SELECT pg_logical_emit_message(false, 'full', repeat('x', 1000000)), pg_switch_wal()`)
  })
  await filling.catch((error: unknown) => console.log(`PostgreSQL of ${node.name} has ended: ${String(error)}`))
}

/** By a connection from the same machine. */
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
  // What waits is told by that.
  client.on('error', () => undefined)
  try {
    await client.connect()
    return await work(client)
  } finally {
    await client.end().catch(() => undefined)
  }
}
