import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import type { Log } from '../../log.ts'
import { toUnavailableUnlessCoded, wasCutOff } from './databaseError.ts'
import { isAnswerTimeout, StrictClient } from './StrictClient.ts'

export const WRITABILITY = ['writable', 'read only', 'standby away'] as const

/** The answer to the question if a write would succeed now. */
export type Writability = (typeof WRITABILITY)[number]

const ANSWER_TIMEOUT_MS = 1_500
const ASK_AGAIN_MS = 1_000
/**
 * The time between checks. `several`: with several servers or a standby. `one`: with one server, to which a standby may be added at any time.
 * `failed`: after a check that failed.
 */
const EVERY_MS = { several: 2_000, one: 10_000, failed: 500 }

interface Found {
  isWritable: boolean
  isStandbyNamed: boolean
}

const STATE = `SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS "isWritable",
  coalesce(current_setting('synchronous_standby_names', true), '') <> '' AS "isStandbyNamed"`

/** Writes almost nothing, but its commit waits like the commit of any write. */
export const EMPTY_WRITE = `SELECT pg_logical_emit_message(true, 'portal', '')`

/**
 * Every connection uses UTC and ISO dates. `random_page_cost`: an index page costs as much as a table page, as on an SSD. With the default of 4,
 * PostgreSQL scans the whole table to count up to ten thousand vouchers of a large merchant. `connectionTimeoutMillis`: a caller for whom no
 * connection is free and none can be opened is refused in well under two seconds (FLT-05).
 */
const CONNECTION_OPTIONS = {
  options: '-c timezone=UTC -c datestyle=ISO -c random_page_cost=1.1',
  connectionTimeoutMillis: ANSWER_TIMEOUT_MS,
  keepAlive: true,
}

/**
 * Finds the server that takes writes among those in DATABASE_URL, separated by commas as in libpq; pg itself knows only one host. Then checks on a
 * connection of its own, even under load, if commits are possible, and if the standby that commits wait for answers. Without these checks every call
 * would keep its connection until its timeout (decision 0072).
 */
export class Primary {
  /** One URL for each host. */
  readonly #urls: readonly string[]
  /** The `options` of the URL itself. */
  readonly #options: readonly string[]
  #log: Log | undefined
  #url: string
  #state: Writability = 'writable'
  #isStandbyNamed = false
  #awaySince: number | undefined
  #client: StrictClient | undefined
  #checking: Promise<Writability> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #onMove: () => void = () => undefined

  constructor(url: string) {
    const { urls, options } = splitUrl(url)
    this.#urls = urls
    this.#options = options
    this.#url = urls[0]!
  }

  /** The URL of the primary, as last known. */
  url(): string {
    return this.#url
  }

  /**
   * Returns how to open a connection to the primary, whichever host that is by then. Our own options and `more` follow the options of the URL, so
   * ours win. pg alone would use only the options of the URL, and tenants' connections would lack their role.
   */
  connection(more = ''): PoolConfig & { options: string; primary: () => string } {
    const options = [...this.#options, CONNECTION_OPTIONS.options, more].join(' ').trim()
    return { ...CONNECTION_OPTIONS, primary: () => this.#url, options }
  }

  /** Looks for a host that takes writes, and uses it from then on. Returns false if no host takes writes. Rejects when none answers. */
  async find(among: readonly string[] = this.#urls): Promise<boolean> {
    const found = await Promise.allSettled(among.map(isWritable))
    const silent = found.find((one) => one.status === 'rejected')
    if (silent && found.every((one) => one.status === 'rejected')) throw silent.reason
    const primary = among[found.findIndex((one) => one.status === 'fulfilled' && one.value)]
    this.#url = primary ?? this.#url
    return primary !== undefined
  }

  /** Waits while only standbys answer, and logs that. Rejects when no host answers. */
  async waitUntilFound(log: Log): Promise<void> {
    for (let isLogged = false; !(await this.find()); isLogged = true) {
      if (!isLogged) log.warn('waiting_for_primary')
      await sleep(ASK_AGAIN_MS)
    }
  }

  /**
   * Checks the primary from now on. The first check is immediate and rejects when no host answers. `onMove` runs when another host has become the
   * primary.
   */
  async watch(log: Log, onMove: () => void): Promise<void> {
    this.#log = log
    this.#onMove = onMove
    this.#checkLater((await this.check()) !== 'writable')
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#dropClient()
  }

  /** The result of the last check that got an answer. */
  state(): Writability {
    return this.#state
  }

  /** True if commits wait for a standby. A standby that is newly named is noticed within ten seconds. */
  isStandbyNamed(): boolean {
    return this.#isStandbyNamed
  }

  /** Milliseconds since the checks began to fail; 0 after a successful check. */
  awayMs(): number {
    return this.#awaySince === undefined ? 0 : performance.now() - this.#awaySince
  }

  /** Checks now. Rejects when the database does not answer. */
  check(): Promise<Writability> {
    return (this.#checking ??= this.#check().finally(() => (this.#checking = undefined)))
  }

  #checkLater(hasFailed: boolean): void {
    if (this.#isStopped) return
    const pace = this.#isStandbyNamed || this.#urls.length > 1 ? 'several' : 'one'
    const checkNow = async () => {
      // Callers that ask meanwhile share this check.
      const state = await this.check().catch(() => undefined)
      this.#checkLater(state !== 'writable')
    }
    this.#timer = setTimeout(() => void checkNow(), EVERY_MS[hasFailed ? 'failed' : pace]).unref()
  }

  async #check(): Promise<Writability> {
    const began = performance.now()
    try {
      let state = await this.#ask().catch((cause: unknown) => new NoAnswer(cause))
      if (state !== 'writable' && (await this.#followMove())) state = await this.#ask()
      if (state instanceof NoAnswer) throw state.cause
      if (state !== this.#state) this.#log?.warn('primary', { state })
      this.#awaySince = undefined
      return (this.#state = state)
    } catch (cause) {
      this.#dropClient()
      this.#awaySince ??= began
      throw toUnavailableUnlessCoded('primary', cause)
    }
  }

  async #ask(): Promise<Writability> {
    const client = (this.#client ??= await this.#connect())
    const { rows } = await client.query<Found>(withTimeout(STATE))
    // A standby does not know if commits wait for another one, so the last answer of the primary is kept.
    if (!rows[0]!.isWritable) return 'read only'
    this.#isStandbyNamed = rows[0]!.isStandbyNamed
    if (!this.#isStandbyNamed) return 'writable'
    try {
      await client.query(withTimeout(EMPTY_WRITE))
      return 'writable'
    } catch (error) {
      if (!isAnswerTimeout(error)) throw error
      this.#dropClient()
      return 'standby away'
    }
  }

  /** Opens every connection again if another host has become the primary. Returns false if none has. */
  async #followMove(): Promise<boolean> {
    const others = this.#urls.filter((url) => url !== this.#url)
    if (others.length === 0 || !(await this.find(others).catch(() => false))) return false
    this.#log?.warn('primary_moved')
    this.#dropClient()
    this.#onMove()
    return true
  }

  async #connect(): Promise<StrictClient> {
    const client = new StrictClient(this.connection())
    client.on('error', () => this.#forget(client))
    client.once('end', () => this.#forget(client))
    await client.connect()
    return client
  }

  #forget(client: StrictClient): void {
    if (this.#client === client) this.#client = undefined
  }

  #dropClient(): void {
    // A server that is gone never confirms the end, so this does not wait.
    void this.#client?.end()
    this.#client = undefined
  }
}

class NoAnswer {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

const withTimeout = (text: string) => ({ text, query_timeout: ANSWER_TIMEOUT_MS }) as { text: string }

async function isWritable(url: string): Promise<boolean> {
  const client = new StrictClient({ connectionString: url, connectionTimeoutMillis: ANSWER_TIMEOUT_MS })
  try {
    await client.connect()
    return (await client.query<Found>(withTimeout(STATE))).rows[0]!.isWritable
  } finally {
    void client.end()
  }
}

/** The scheme with user and password; the hosts; the database. */
const URL_PARTS = /^([^:]+:\/\/(?:[^@/]*@)?)([^/]*)(\/.*)?$/s

function splitUrl(url: string): { urls: string[]; options: string[] } {
  const [address = '', query = ''] = url.split('?', 2)
  const [, login = '', names = '', database = ''] = URL_PARTS.exec(address) ?? []
  const parameters = new URLSearchParams(query)
  const options = parameters.getAll('options')
  // `options` are added to each connection, and the primary is wanted whatever `target_session_attrs` says.
  for (const name of ['options', 'target_session_attrs']) parameters.delete(name)
  const rest = parameters.size === 0 ? database : `${database}?${parameters.toString()}`
  return { urls: names.split(',').map((name) => login + name + rest), options }
}

/** The time during which a read is repeated. A database that never answers is noticed after four seconds, so such a read is not repeated (FLT-04). */
const LONGEST_WAIT_MS = 3_500
const READ_AGAIN_MS = 200

const CLOCK = { now: () => performance.now(), pause: (): Promise<void> => sleep(READ_AGAIN_MS) }

/**
 * Runs `read`, and repeats it during a failover, when for some seconds no database answers. Throws the error of `read` when waiting does not help,
 * when `isGone` says that the caller hung up, or when the outage has lasted too long.
 */
export async function throughFailover<T>(
  database: { askPrimary(): Promise<unknown>; awayMs(): number },
  read: () => Promise<T>,
  isGone: () => boolean,
  clock = CLOCK,
): Promise<T> {
  const began = clock.now()
  for (;;) {
    try {
      return await read()
    } catch (error) {
      if (!wasCutOff(error)) throw error
      // The watch may not have noticed the outage yet.
      database.askPrimary().catch(() => undefined)
      if (isGone() || Math.max(clock.now() - began, database.awayMs()) > LONGEST_WAIT_MS) throw error
      await clock.pause()
    }
  }
}
