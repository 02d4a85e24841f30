import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Log } from '../../log.ts'
import type { Cluster } from './cluster.ts'
import { EmbeddedError } from './EmbeddedError.ts'
import { takeOwnership } from './ownership.ts'
import { isAlive, Postmaster, runningPostmaster, type Listening, type PostmasterOptions } from './Postmaster.ts'

export interface EmbeddedOptions extends PostmasterOptions {
  cluster: Cluster
  log: Log
}

const LOOK_EVERY_MS = 50
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** A PostgreSQL that was left behind gets this long to end as it should. */
const PATIENCE_MS = 30_000

/** The PostgreSQL of this process: started, owned, started again when it crashes, and ended. */
export class EmbeddedPostgres {
  readonly #options: EmbeddedOptions
  #postmaster: Postmaster | undefined
  #owner: Client | undefined
  #isStopping = false
  #restarts = 0
  #watching: Promise<void> = Promise.resolve()

  constructor(options: EmbeddedOptions) {
    this.#options = options
  }

  /** @throws EmbeddedError IN_USE, DID_NOT_START */
  async start(): Promise<Listening> {
    const listening = await this.#begin()
    this.#watching = this.#watch()
    return listening
  }

  /** How often it crashed and was started again. */
  get restarts(): number {
    return this.#restarts
  }

  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#owner?.end()
    await this.#postmaster?.stop()
    await this.#watching
  }

  /** One that was left behind by a killed server is ended first. */
  async #begin(): Promise<Listening> {
    const { cluster, log } = this.#options
    for (;;) {
      const leftBehind = runningPostmaster(cluster.data)
      if (leftBehind?.isReady) {
        const owner = await takeOwnership(leftBehind, cluster)
        if (owner) {
          log.warn('postgres_left_behind', { pid: leftBehind.pid })
          await end(leftBehind.pid)
        }
      } else if (!leftBehind) {
        const begun = await this.#spawn()
        if (begun) return begun
      }
      await sleep(LOOK_EVERY_MS)
    }
  }

  /** `undefined` when another one has the folder, perhaps for a moment only. */
  async #spawn(): Promise<Listening | undefined> {
    const postmaster = new Postmaster(this.#options)
    const listening = await postmaster.untilReady()
    if (!listening) return undefined
    try {
      const owner = await takeOwnership(listening, this.#options.cluster)
      if (!owner) return undefined
      this.#postmaster = postmaster
      this.#owner = owner
      return listening
    } catch (error) {
      // Another server took ours for one that was left behind, and goes on with it.
      if (error instanceof EmbeddedError && error.code === 'IN_USE') postmaster.leave()
      throw error
    }
  }

  async #watch(): Promise<void> {
    for (;;) {
      const how = await this.#postmaster?.ended()
      if (this.#isStopping) return
      this.#options.log.error('postgres_ended', how)
      this.#restarts += 1
      await this.#restart()
    }
  }

  /** As long as it takes: the portal says meanwhile that it is not ready. */
  async #restart(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !this.#isStopping; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await sleep(pause)
      try {
        await this.#begin()
        return this.#options.log.warn('postgres_restarted', { restarts: this.#restarts })
      } catch (error) {
        this.#options.log.error('postgres_restart_failed', { why: error instanceof Error ? error.message : undefined })
      }
    }
  }
}

async function end(pid: number): Promise<void> {
  process.kill(pid, 'SIGINT')
  const deadline = performance.now() + PATIENCE_MS
  while (isAlive(pid)) {
    if (performance.now() > deadline) process.kill(pid, 'SIGQUIT')
    await sleep(LOOK_EVERY_MS)
  }
}
