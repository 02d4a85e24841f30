import type { ClientBase, PoolConfig } from 'pg'
import type { Log } from '../../log.ts'
import type { Lack, PoolState } from './Database.ts'
import { DatabaseUnavailable, unavailable } from './databaseError.ts'
import { SKIPS_STANDBY } from './durability.ts'
import { StrictClient } from './StrictClient.ts'

/** What a connection of a pool must be; a start has found out that it can be had. */
interface Expected {
  pool: PoolState['pool']
  /** What its queries are run as. */
  role: string
  /** Whether policies bind that role. Undefined where there is no wall: then a cluster may not even know what is asked. */
  isBound: boolean | undefined
  /** Whether a commit waits for the disk. Where it did not at the start, somebody has said that it need not (decision 0039). */
  isDurable: boolean
}

/** Who waits for a connection waits for this too. */
const LONGEST_PROOF_MS = 1_500

/**
 * Asks each new connection of a pool itself whether it is what it must be (decision 0039). A pooler that drops what a connection
 * is opened with, a role that was given more, a setting that was changed: with any of them a query would still succeed.
 */
export class ConnectionProof {
  #verdict: 'unknown' | 'good' | Lack = 'unknown'
  #probe: Promise<void> | undefined
  /** For the pool: each connection that it opens is checked. */
  readonly config: PoolConfig
  readonly #expected: Expected
  readonly #log: Log

  /** For a new connection, before anybody has it. @throws DatabaseUnavailable when it lacks something: then it is nobody's. */
  readonly #check = async (client: ClientBase): Promise<void> => {
    const lack = await lackOf(client, this.#expected)
    this.#note(lack)
    if (lack !== undefined) throw new DatabaseUnavailable(`connection without its ${lack}`)
  }

  constructor(config: PoolConfig, expected: Expected, log: Log) {
    // oxlint-disable-next-line typescript/no-misused-promises -- pg-pool waits for it, which its types do not say.
    this.config = { ...config, onConnect: this.#check }
    this.#expected = expected
    this.#log = log
  }

  /** What the last connection lacked. Where that was something, or none was opened yet, a connection is opened to find out. */
  async refused(): Promise<{ pool: PoolState['pool']; lacks: Lack }[]> {
    if (this.#verdict !== 'good') await (this.#probe ??= this.#open().finally(() => (this.#probe = undefined)))
    const lacks = this.#verdict
    return lacks === 'good' || lacks === 'unknown' ? [] : [{ pool: this.#expected.pool, lacks }]
  }

  async #open(): Promise<void> {
    const client = new StrictClient(this.config)
    client.on('error', () => undefined)
    try {
      await client.connect()
      this.#note(await lackOf(client, this.#expected))
    } catch (cause) {
      throw unavailable('connect', cause)
    } finally {
      await client.end()
    }
  }

  #note(lack: Lack | undefined): void {
    const verdict = lack ?? 'good'
    if (verdict === this.#verdict) return
    if (lack !== undefined) this.#log.error('connection_refused', { pool: this.#expected.pool, lacks: lack })
    else if (this.#verdict !== 'unknown') this.#log.info('connection_good_again', { pool: this.#expected.pool })
    this.#verdict = verdict
  }
}

interface Found {
  role: string
  isBound: boolean
  isDurable: boolean
}

async function lackOf(client: ClientBase, { role, isBound, isDurable }: Expected): Promise<Lack | undefined> {
  const bound = isBound === undefined ? 'false' : `row_security_active('organisation')`
  const text = `SELECT current_user::text AS role, ${bound} AS "isBound",
    current_setting('synchronous_commit', true) IS DISTINCT FROM 'off' AND NOT ${SKIPS_STANDBY} AS "isDurable"`
  const { rows } = await client.query<Found>({ text, query_timeout: LONGEST_PROOF_MS } as { text: string })
  const found = rows[0]!
  if (found.role !== role) return 'role'
  if (isBound !== undefined && found.isBound !== isBound) return 'row security'
  return isDurable && !found.isDurable ? 'synchronous_commit' : undefined
}
