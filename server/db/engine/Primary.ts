import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import type { Log } from '../../log.ts'
import { unavailableUnlessCoded, wasCutOff } from './databaseError.ts'
import { isSilence, StrictClient } from './StrictClient.ts'

export const WRITABILITY = ['writable', 'read only', 'standby away'] as const

/** Says whether a write would succeed now. */
export type Writability = (typeof WRITABILITY)[number]

const LONGEST_MS = 1_500
const ASK_AGAIN_MS = 1_000
/** With other servers that matter, and with one: an operator may name a standby at any time. When something is amiss, until it is not. */
const EVERY_MS = { several: 2_000, one: 10_000, amiss: 500 }

interface Found {
  isWritable: boolean
  isStandbyNamed: boolean
}

const STATE = `SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS "isWritable",
  coalesce(current_setting('synchronous_standby_names', true), '') <> '' AS "isStandbyNamed"`

/** Writes next to nothing, and its commit waits as every commit does that has written. */
export const COMMIT = `SELECT pg_logical_emit_message(true, 'portal', '')`

/**
 * Every connection speaks UTC and writes dates as ISO does. A page of an index costs what a page of a table costs, as on any disk
 * without a moving arm: with the default of 4 the count of a merchant with most of the vouchers scans the whole table for its
 * first ten thousand. Whoever gets no connection is refused in well under two seconds, waiting for a free one included
 * (FLT-05).
 */
const CONNECTION_OPTIONS = {
  options: '-c timezone=UTC -c datestyle=ISO -c random_page_cost=1.1',
  connectionTimeoutMillis: LONGEST_MS,
  keepAlive: true,
}

/**
 * The server that takes writes, of those that DATABASE_URL names: with commas between them as libpq has it; pg itself knows one host
 * alone. It is watched on a connection of its own, which answers under load, too: whether commits are possible, and whether the standby
 * that they wait for answers. Without one each would keep its connection until it is given up (decision 0072).
 */
export class Primary {
  /** One for each host. */
  readonly #urls: readonly string[]
  /** The `options` of the URL itself. */
  readonly #options: readonly string[]
  #log: Log | undefined
  #url: string
  #state: Writability = 'writable'
  #isStandbyNamed = false
  #awaySince: number | undefined
  #client: StrictClient | undefined
  #looking: Promise<Writability> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  #onMove: () => void = () => undefined

  constructor(url: string) {
    const { urls, options } = hostsOf(url)
    this.#urls = urls
    this.#options = options
    this.#url = urls[0]!
  }

  /** As far as is known. */
  url(): string {
    return this.#url
  }

  /**
   * How a connection to the primary is opened, whichever host that is by then. Of the options that the URL itself has each is kept, and
   * `more` and our own are said after them, so that they win: pg takes those of the URL alone, which left tenants' connections without
   * their role.
   */
  connection(more = ''): PoolConfig & { options: string; primary: () => string } {
    const options = [...this.#options, CONNECTION_OPTIONS.options, more].join(' ').trim()
    return { ...CONNECTION_OPTIONS, primary: () => this.#url, options }
  }

  /** Looks for a host that takes writes: it is the primary from then on. Rejects when no host answers. */
  async find(among: readonly string[] = this.#urls): Promise<boolean> {
    const found = await Promise.allSettled(among.map(isWritable))
    const silent = found.find((one) => one.status === 'rejected')
    if (silent && found.every((one) => one.status === 'rejected')) throw silent.reason
    const primary = among[found.findIndex((one) => one.status === 'fulfilled' && one.value)]
    this.#url = primary ?? this.#url
    return primary !== undefined
  }

  /** Waits while there are standbys alone, and says so. Rejects when nobody answers. */
  async untilFound(log: Log): Promise<void> {
    for (let isSaid = false; !(await this.find()); isSaid = true) {
      if (!isSaid) log.warn('waiting_for_primary')
      await sleep(ASK_AGAIN_MS)
    }
  }

  /** Looks from now on, first of all at once, and rejects when nobody answers then. `onMove`: another host has become the primary. */
  async watch(log: Log, onMove: () => void): Promise<void> {
    this.#log = log
    this.#onMove = onMove
    this.#lookLater((await this.look()) !== 'writable')
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#dropClient()
  }

  /** As it was found last. */
  state(): Writability {
    return this.#state
  }

  /** Says whether commits wait for a standby; a newly named one is noticed within ten seconds. */
  isStandbyNamed(): boolean {
    return this.#isStandbyNamed
  }

  /** For how long no look has found it; 0 as long as the last one has. */
  awayMs(): number {
    return this.#awaySince === undefined ? 0 : performance.now() - this.#awaySince
  }

  /** As it is now. Rejects when the database does not answer. */
  look(): Promise<Writability> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)))
  }

  #lookLater(isAmiss: boolean): void {
    if (this.#isStopped) return
    const pace = this.#isStandbyNamed || this.#urls.length > 1 ? 'several' : 'one'
    const lookNow = async () => {
      // Everybody who asks for something is told the same.
      const state = await this.look().catch(() => undefined)
      this.#lookLater(state !== 'writable')
    }
    this.#timer = setTimeout(() => void lookNow(), EVERY_MS[isAmiss ? 'amiss' : pace]).unref()
  }

  async #look(): Promise<Writability> {
    const began = performance.now()
    try {
      let state = await this.#ask().catch((cause: unknown) => new Unasked(cause))
      if (state !== 'writable' && (await this.#hasMoved())) state = await this.#ask()
      if (state instanceof Unasked) throw state.cause
      if (state !== this.#state) this.#log?.warn('primary', { state })
      this.#awaySince = undefined
      return (this.#state = state)
    } catch (cause) {
      this.#dropClient()
      this.#awaySince ??= began
      throw unavailableUnlessCoded('primary', cause)
    }
  }

  async #ask(): Promise<Writability> {
    const client = (this.#client ??= await this.#connect())
    const { rows } = await client.query<Found>(inTime(STATE))
    // A standby itself waits for nobody, and has perhaps what the synchronous one has not: what the primary said last goes on.
    if (!rows[0]!.isWritable) return 'read only'
    this.#isStandbyNamed = rows[0]!.isStandbyNamed
    if (!this.#isStandbyNamed) return 'writable'
    try {
      await client.query(inTime(COMMIT))
      return 'writable'
    } catch (error) {
      if (!isSilence(error)) throw error
      this.#dropClient()
      return 'standby away'
    }
  }

  /** Says whether another host has become the primary: then every connection is opened anew. */
  async #hasMoved(): Promise<boolean> {
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
    // A server that is gone never says that it has ended.
    void this.#client?.end()
    this.#client = undefined
  }
}

class Unasked {
  readonly cause: unknown
  constructor(cause: unknown) {
    this.cause = cause
  }
}

const inTime = (text: string) => ({ text, query_timeout: LONGEST_MS }) as { text: string }

async function isWritable(url: string): Promise<boolean> {
  const client = new StrictClient({ connectionString: url, connectionTimeoutMillis: LONGEST_MS })
  try {
    await client.connect()
    return (await client.query<Found>(inTime(STATE))).rows[0]!.isWritable
  } finally {
    void client.end()
  }
}

/** The scheme with user and password; hosts; the database. */
const PARTS = /^([^:]+:\/\/(?:[^@/]*@)?)([^/]*)(\/.*)?$/s

function hostsOf(url: string): { urls: string[]; options: string[] } {
  const [address = '', query = ''] = url.split('?', 2)
  const [, login = '', names = '', database = ''] = PARTS.exec(address) ?? []
  const parameters = new URLSearchParams(query)
  const options = parameters.getAll('options')
  // It is the primary that is wanted, in any case.
  for (const name of ['options', 'target_session_attrs']) parameters.delete(name)
  const rest = parameters.size === 0 ? database : `${database}?${parameters.toString()}`
  return { urls: names.split(',').map((name) => login + name + rest), options }
}

/** A database that takes connections and never answers is noticed after four seconds, and then everybody is told (FLT-04). */
const LONGEST_WAIT_MS = 3_500
const READ_AGAIN_MS = 200

const CLOCK = { now: () => performance.now(), pause: (): Promise<void> => sleep(READ_AGAIN_MS) }

/**
 * Answers what `read` gives, or throws what it throws once nothing is to be waited for, or `isGone` says that nobody waits any more. A failover takes some
 * seconds until a database answers again, be it a standby. To read twice changes nothing, so reading waits for that. In an outage that
 * has lasted for longer, who reads is told at once.
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
      // The watch may not have met the outage yet.
      database.askPrimary().catch(() => undefined)
      if (isGone() || Math.max(clock.now() - began, database.awayMs()) > LONGEST_WAIT_MS) throw error
      await clock.pause()
    }
  }
}
