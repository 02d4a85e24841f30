import type { Socket } from 'node:net'
import { isUnavailable, UnusableDatabase } from './databaseError.ts'
import type { Primary } from './Primary.ts'
import { StrictClient } from './StrictClient.ts'

export const POOLER_ADVICE =
  'Name PostgreSQL itself in DATABASE_URL, or a pooler that keeps whole sessions and start-up options'

/** One round reveals a pooler, unless another client of the pooler takes a connection between two questions. */
const ROUNDS = 5
const LONGEST_MS = 4_000
/** Settings of Pgpool with which a read may not see what was just written. */
const STALE_READS = ['load_balance_mode', 'memory_cache_enabled']

/**
 * Looks for a pooler that would break the portal though every statement succeeds: one that changes sessions between statements, or reads from
 * standbys.
 * @throws UnusableDatabase
 */
export async function refusePooler(primary: Primary): Promise<void> {
  const connect = async () => {
    const client = new StrictClient({ ...primary.connection(), query_timeout: LONGEST_MS })
    opened.push(client)
    await client.connect()
    return client
  }
  const opened: StrictClient[] = []
  try {
    const first = await connect()
    if (await isDirect(first)) return
    await refusePgpool(first)
    const second = await connect()
    for (let round = 0; round < ROUNDS; round++) await refuseSharedSession(first, second)
  } finally {
    await Promise.all(opened.map((client) => client.end().catch(() => undefined)))
  }
}

interface Answer {
  session: string
  /** The port of PostgreSQL's client; null for a Unix socket. */
  clientPort: number | null
  isReadOnly: boolean
}

/** Has no volatile function: with one, Pgpool would ask only the primary. Has the address, because a standby may use the same process id. */
const WHO_ANSWERS = `SELECT pg_backend_pid() || ' ' || coalesce(inet_server_addr()::text, '') AS session,
  inet_client_port() AS "clientPort", current_setting('transaction_read_only') = 'on' AS "isReadOnly"`

const whoAnswers = async (client: StrictClient) => (await client.query<Answer>(WHO_ANSWERS)).rows[0]!

/** True if no program is between: PostgreSQL sees the port that this process connected from. */
async function isDirect(client: StrictClient): Promise<boolean> {
  const { clientPort } = await whoAnswers(client)
  return clientPort !== null && clientPort === (client.connection.stream as Socket).localPort
}

/** Asks with a statement that only Pgpool understands. PostgreSQL calls it a syntax error. */
async function refusePgpool(client: StrictClient): Promise<void> {
  for (const setting of STALE_READS) {
    const answer = await client.query<Record<string, string>>(`PGPOOL SHOW ${setting}`).catch((error: unknown) => {
      if (isUnavailable(error)) throw error
    })
    if (answer === undefined) return
    if (answer.rows[0]?.[setting] === 'on')
      throw new UnusableDatabase(`Pgpool would answer with outdated rows: set ${setting} = off in its configuration`)
  }
}

/** Checks that each session keeps a process of its own. Asks in both sessions, because a pooler may reuse its oldest or its newest connection. */
async function refuseSharedSession(first: StrictClient, second: StrictClient): Promise<void> {
  const answers = [await whoAnswers(first), await whoAnswers(first), await whoAnswers(second)]
  if (answers.some(({ isReadOnly }) => isReadOnly))
    throw new UnusableDatabase(`A pooler sends reads to a standby. ${POOLER_ADVICE}`)
  const [before, after, other] = answers.map(({ session }) => session)
  if (before !== after || after === other)
    throw new UnusableDatabase(`A pooler changes sessions between statements (transaction mode). ${POOLER_ADVICE}`)
}
