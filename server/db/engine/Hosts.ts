import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import type { Log } from '../../log.ts'
import { StrictClient } from './StrictClient.ts'

/** The scheme with user and password; hosts; the database. */
const PARTS = /^([^:]+:\/\/(?:[^@/]*@)?)([^/]*)(\/.*)?$/s

const ASK_AGAIN_MS = 1_000

/**
 * The servers that DATABASE_URL names, with commas between them as libpq has it, and which of them is the primary. pg itself knows one
 * host alone.
 */
export class Hosts {
  /** One for each host. */
  readonly urls: readonly string[]
  /** What the URL itself says in `options`. */
  readonly options: readonly string[]
  #primary: string

  constructor(url: string) {
    const [address = '', query = ''] = url.split('?', 2)
    const [, login = '', names = '', database = ''] = PARTS.exec(address) ?? []
    const parameters = new URLSearchParams(query)
    this.options = parameters.getAll('options')
    // It is the primary that is wanted, in any case.
    for (const name of ['options', 'target_session_attrs']) parameters.delete(name)
    const rest = parameters.size === 0 ? database : `${database}?${parameters.toString()}`
    this.urls = names.split(',').map((name) => login + name + rest)
    this.#primary = this.urls[0]!
  }

  /** The URL of the primary, as far as is known. */
  primary(): string {
    return this.#primary
  }

  /** The others, one of which may have become the primary. */
  others(): string[] {
    return this.urls.filter((url) => url !== this.#primary)
  }

  /** Whether one of these takes writes, which is the primary from then on. Rejects when none of them answers. */
  async findPrimary(among: readonly string[] = this.urls): Promise<boolean> {
    const found = await Promise.allSettled(among.map(isWritable))
    const silent = found.find((one) => one.status === 'rejected')
    if (silent && found.every((one) => one.status === 'rejected')) throw silent.reason
    const isPrimary = found.map((one) => one.status === 'fulfilled' && one.value)
    const primary = among.find((_, n) => isPrimary[n])
    this.#primary = primary ?? this.#primary
    return primary !== undefined
  }

  /** Waits while there are standbys alone, and says so. Rejects when nobody answers. */
  async untilPrimary(log: Log): Promise<void> {
    for (let isSaid = false; !(await this.findPrimary()); isSaid = true) {
      if (!isSaid) log.warn('waiting_for_primary')
      await sleep(ASK_AGAIN_MS)
    }
  }
}

const LONGEST_MS = 1_500

/** As SQL. */
export const IS_WRITABLE = `(NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off')`

async function isWritable(url: string): Promise<boolean> {
  const limits = { connectionTimeoutMillis: LONGEST_MS, query_timeout: LONGEST_MS }
  const client = new StrictClient({ connectionString: url, ...limits })
  // Who waits for an answer is told by that; without a listener it would end the process.
  client.on('error', () => undefined)
  try {
    await client.connect()
    const { rows } = await client.query<{ is: boolean }>(`SELECT ${IS_WRITABLE} AS is`)
    return rows[0]!.is
  } finally {
    void client.end()
  }
}

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
 * How a connection to the primary is opened, whichever host that is by then. Of the options that the URL itself has each is kept, and
 * `more` and our own are said after them, so that they win: pg takes those of the URL alone, which left tenants' connections without
 * their role.
 */
export const connectionTo = (hosts: Hosts, more = ''): PoolConfig & { options: string; primary: () => string } => ({
  ...CONNECTION_OPTIONS,
  primary: () => hosts.primary(),
  options: [...hosts.options, CONNECTION_OPTIONS.options, more].join(' ').trim(),
})
