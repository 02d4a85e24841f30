import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import { DatabaseUnavailable, unavailableUnlessCoded } from './databaseError.ts'
import { connectionTo, IS_WRITABLE, type Hosts } from './Hosts.ts'
import { StrictClient } from './StrictClient.ts'

export const WRITABILITY = ['writable', 'read only', 'standby away'] as const

/** What becomes of a write now. */
export type Writability = (typeof WRITABILITY)[number]

const LONGEST_MS = 1_500
/** With other servers that matter, and with one: an operator may name a standby at any time. */
const EVERY_MS = { several: 2_000, one: 10_000 }

interface Found {
  isWritable: boolean
  isStandbyNamed: boolean
}

const STATE = `SELECT ${IS_WRITABLE} AS "isWritable",
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
  readonly #hosts: Hosts
  readonly #log: Log
  readonly #onMove: () => void

  constructor(hosts: Hosts, log: Log, onMove: () => void) {
    this.#hosts = hosts
    this.#log = log
    this.#onMove = onMove
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

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#dropClient()
  }

  #lookAgain(): void {
    if (this.#isStopped) return
    void this.look()
      // Everybody who asks for something is told the same.
      .catch(() => undefined)
      .finally(() => {
        this.#timer = setTimeout(
          () => this.#lookAgain(),
          EVERY_MS[this.#isStandbyNamed || this.#hosts.urls.length > 1 ? 'several' : 'one'],
        ).unref()
      })
  }

  async #look(): Promise<Writability> {
    try {
      const state = await this.#lookAtPrimary()
      if (state === 'writable' || !(await this.#hasMoved())) return this.#note(state)
    } catch (cause) {
      this.#dropClient()
      if (!(await this.#hasMoved())) throw failedWatch(cause)
    }
    return this.#note(await this.#lookAtPrimary().catch((cause: unknown) => Promise.reject(failedWatch(cause))))
  }

  async #lookAtPrimary(): Promise<Writability> {
    if (this.#commit === undefined) {
      const { isWritable, isStandbyNamed } = await this.#ask()
      // A standby itself waits for nobody, and has perhaps what the synchronous one has not: what the primary said last goes on.
      if (!isWritable) return 'read only'
      this.#isStandbyNamed = isStandbyNamed
      if (!isStandbyNamed) return 'writable'
      this.#commit = this.#beginCommit()
    } else if (this.#state === 'standby away') return this.#state
    return within<Writability>(
      LONGEST_MS,
      this.#commit.then(() => 'writable'),
      () => 'standby away',
    )
  }

  /** Whether another host has become the primary: then every connection is opened anew. */
  async #hasMoved(): Promise<boolean> {
    const others = this.#hosts.others()
    const isFound = others.length > 0 && (await this.#hosts.findPrimary(others).catch(() => false))
    if (!isFound) return false
    this.#log.warn('primary_moved')
    this.#commit = undefined
    this.#dropClient()
    this.#onMove()
    return true
  }

  async #ask(): Promise<Found> {
    const client = (this.#client ??= await this.#connect())
    const { rows } = await within(LONGEST_MS, client.query<Found>(STATE), () => {
      throw new DatabaseUnavailable('primary watch')
    })
    return rows[0]!
  }

  #beginCommit(): Promise<void> {
    const commit = this.#client!.query(COMMIT).then(() => void this.#note('writable'))
    const forget = () => {
      if (this.#commit === commit) this.#commit = undefined
    }
    // It may still wait when nobody looks any more.
    commit.then(forget, forget)
    return commit
  }

  async #connect(): Promise<StrictClient> {
    const client = new StrictClient(connectionTo(this.#hosts))
    // Who waits for an answer is told by that.
    client.on('error', () => undefined)
    client.once('end', () => {
      if (this.#client === client) this.#client = undefined
    })
    await client.connect()
    return client
  }

  #dropClient(): void {
    // A server that is gone never says that it has ended.
    void this.#client?.end()
    this.#client = undefined
  }

  #note(state: Writability): Writability {
    if (state !== this.#state) this.#log.warn('primary', { state })
    return (this.#state = state)
  }
}

const failedWatch = (cause: unknown) => unavailableUnlessCoded('primary watch', cause)

/** What `otherwise` gives when `work` takes longer. */
async function within<T>(ms: number, work: Promise<T>, otherwise: () => T): Promise<T> {
  const timer = new AbortController()
  try {
    return await Promise.race([work, sleep(ms, undefined, { signal: timer.signal }).then(otherwise)])
  } finally {
    timer.abort()
  }
}
