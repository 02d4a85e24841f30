import { setTimeout as sleep } from 'node:timers/promises'
import type { PoolConfig } from 'pg'
import type { Log } from '../../log.ts'
import { databaseCode, DatabaseUnavailable } from './databaseError.ts'
import { StrictClient } from './StrictClient.ts'

export const WRITABILITY = ['writable', 'read only', 'standby away'] as const

/** What becomes of a write now. */
export type Writability = (typeof WRITABILITY)[number]

const LONGEST_MS = 1_500
/** While commits wait for a standby, and while they do not: an operator may name one at any time. */
const EVERY_MS = { named: 2_000, unnamed: 10_000 }

interface Found {
  isWritable: boolean
  isStandbyNamed: boolean
}

const STATE = `SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS "isWritable",
  coalesce(current_setting('synchronous_standby_names', true), '') <> '' AS "isStandbyNamed"`

/** Writes next to nothing, and its commit waits as every commit does that has written. */
export const COMMIT = `SELECT pg_logical_emit_message(true, 'portal', '')`

/**
 * Watches on a connection of its own whether commits are possible, and whether the standby that they wait for answers: without one each
 * would keep its connection until it is given up (decision 0072). It answers under load, too.
 */
export class PrimaryWatch {
  #state: Writability = 'writable'
  #isStandbyNamed = false
  #client: StrictClient | undefined
  #looking: Promise<Writability> | undefined
  /** A commit of ours that waits for the standby; it ends when one is back. */
  #commit: Promise<void> | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false
  readonly #config: PoolConfig
  readonly #log: Log

  constructor(config: PoolConfig, log: Log) {
    this.#config = config
    this.#log = log
    this.#lookAgain()
  }

  /** As it was found last. */
  state(): Writability {
    return this.#state
  }

  /** Whether commits wait for a standby at all; an operator who names one is noticed within ten seconds. */
  isStandbyNamed(): boolean {
    return this.#isStandbyNamed
  }

  /** As it is now. Rejects when the database does not answer. */
  look(): Promise<Writability> {
    return (this.#looking ??= this.#look().finally(() => (this.#looking = undefined)))
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    clearTimeout(this.#timer)
    await this.#dropClient()
  }

  #lookAgain(): void {
    if (this.#isStopped) return
    void this.look()
      // Everybody who asks for something is told the same.
      .catch(() => undefined)
      .finally(() => {
        this.#timer = setTimeout(() => this.#lookAgain(), EVERY_MS[this.#isStandbyNamed ? 'named' : 'unnamed']).unref()
      })
  }

  async #look(): Promise<Writability> {
    try {
      if (this.#commit === undefined) {
        const { isWritable, isStandbyNamed } = await this.#ask()
        this.#isStandbyNamed = isStandbyNamed
        if (!isWritable) return this.#note('read only')
        if (!isStandbyNamed) return this.#note('writable')
        this.#commit = this.#commitOnce()
        // It may still wait when nobody looks any more.
        this.#commit.catch(() => undefined)
      } else if (this.#state === 'standby away') return this.#state
      await within(LONGEST_MS, this.#commit, () => void this.#note('standby away'))
      return this.#state
    } catch (cause) {
      await this.#dropClient()
      throw databaseCode(cause) === undefined ? new DatabaseUnavailable('primary watch', { cause }) : cause
    }
  }

  async #ask(): Promise<Found> {
    const client = (this.#client ??= await this.#connect())
    const { rows } = await within(LONGEST_MS, client.query<Found>(STATE), () => {
      throw new DatabaseUnavailable('primary watch')
    })
    return rows[0]!
  }

  async #commitOnce(): Promise<void> {
    try {
      await this.#client!.query(COMMIT)
      this.#note('writable')
    } finally {
      this.#commit = undefined
    }
  }

  async #connect(): Promise<StrictClient> {
    const client = new StrictClient(this.#config)
    // Who waits for an answer is told by that.
    client.on('error', () => undefined)
    client.once('end', () => {
      if (this.#client === client) this.#client = undefined
    })
    await client.connect()
    return client
  }

  async #dropClient(): Promise<void> {
    const client = this.#client
    this.#client = undefined
    await client?.end()
  }

  #note(state: Writability): Writability {
    if (state !== this.#state) this.#log.warn('primary', { state })
    return (this.#state = state)
  }
}

/** What `otherwise` gives when `work` takes longer. */
async function within<T>(ms: number, work: Promise<T>, otherwise: () => T): Promise<T> {
  const timer = new AbortController()
  try {
    return await Promise.race([work, sleep(ms, undefined, { signal: timer.signal }).then(otherwise)])
  } finally {
    timer.abort()
  }
}
