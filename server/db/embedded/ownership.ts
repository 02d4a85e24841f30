import { Client } from 'pg'
import { SUPERUSER, type Cluster } from './cluster.ts'
import { EmbeddedError } from './EmbeddedError.ts'
import type { Listening } from './Postmaster.ts'

/** Any number, the same in every process: who holds it may start and end this PostgreSQL. */
const OWNER = 7_204_119
/** It is there and takes nobody: it starts, recovers or ends. */
const NOT_NOW = ['57P03', 'ECONNREFUSED', 'ENOENT', 'ECONNRESET']

/** A connection as superuser. `database` is there from the beginning unless another one is named. */
export async function connectAsSuperuser(
  { host, port }: Listening,
  { password }: Cluster,
  database = 'postgres',
): Promise<Client> {
  const client = new Client({
    host,
    port,
    user: SUPERUSER,
    password,
    database,
    application_name: `portal process ${process.pid}`,
  })
  // Who asks is told; and a PostgreSQL that ends is seen by its process.
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/**
 * Makes this process the owner of a PostgreSQL that runs, until the connection that is returned ends: also when the process is
 * killed. `undefined` while it takes no connections.
 * @throws EmbeddedError IN_USE when another process owns it
 */
export async function takeOwnership(listening: Listening, cluster: Cluster): Promise<Client | undefined> {
  const client = await connectAsSuperuser(listening, cluster).catch((error: NodeJS.ErrnoException) => {
    if (NOT_NOW.includes(error.code ?? '')) return undefined
    throw error
  })
  if (!client) return undefined
  const { rows } = await client.query<{ mine: boolean }>('SELECT pg_try_advisory_lock($1) AS mine', [OWNER])
  if (rows[0]?.mine) return client
  const owner = await client.query<{ name: string }>(HOLDER, [OWNER])
  await client.end()
  const name = owner.rows[0]?.name ?? 'another process'
  throw new EmbeddedError(
    'IN_USE',
    `${cluster.data} is in use by ${name}: stop that one first, or set another DATA_DIR.`,
  )
}

const HOLDER = `SELECT application_name AS name FROM pg_locks JOIN pg_stat_activity USING (pid)
  WHERE locktype = 'advisory' AND objid = $1 AND granted`
