import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from 'pg'
import type { Log } from '../../log.ts'
import { EmbeddedError, launchAs, type Binaries, type PostgresUser } from './programs.ts'
import { endLeftBehind, runningPostmaster, takeOwnership, type Cluster, type Listening } from './takeOver.ts'

export interface EmbeddedOptions {
  binaries: Binaries
  user: PostgresUser
  cluster: Cluster
  settings: Record<string, string>
  log: Log
}

const POLL_MS = 10
/** Long enough for recovery after a crash, which reads the log since the last checkpoint. */
const START_TIMEOUT_MS = 120_000
/** Long enough for the checkpoint of a fast shutdown. Docker and systemd give the whole portal ten seconds. */
const STOP_TIMEOUT_MS = 5_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 10_000
/** The messages of PostgreSQL when another PostgreSQL uses the folder or is still ending. */
const IN_USE_MESSAGE = /lock file .* already exists|shared memory block/

/** A PostgreSQL that runs as a child of this process, and its last messages. */
interface Postmaster {
  child: ChildProcess
  lastWords: string
}

/** Starts, owns and ends the PostgreSQL of this process, and starts it again after a crash. */
export class EmbeddedPostgres {
  readonly #options: EmbeddedOptions
  #postmaster: Postmaster | undefined
  #owner: Client | undefined
  #isStopping = false
  #watching: Promise<void> = Promise.resolve()

  constructor(options: EmbeddedOptions) {
    this.#options = options
  }

  /**
   * Starts PostgreSQL, and returns its address.
   * @throws EmbeddedError IN_USE, DID_NOT_START
   */
  async start(): Promise<Listening> {
    const listening = await this.#begin()
    this.#watching = this.#watch()
    return listening
  }

  /** Ends PostgreSQL and its transactions. If that takes too long, PostgreSQL ends without a checkpoint, and recovers at the next start. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#owner?.end()
    if (this.#postmaster) await endChild(this.#postmaster.child)
    await this.#watching
  }

  /** Starts PostgreSQL. First ends a PostgreSQL that a killed server left behind. */
  async #begin(): Promise<Listening> {
    const { cluster, log } = this.#options
    const deadline = performance.now() + START_TIMEOUT_MS
    let started: Postmaster | undefined
    for (;;) {
      const running = runningPostmaster(cluster.data)
      // Another server may own our PostgreSQL first: it takes ours for one that was left behind, and ends it.
      const owner = running?.isReady ? await takeOwnership(running, cluster) : undefined
      if (owner && running!.pid === started?.child.pid) {
        this.#postmaster = started
        this.#owner = owner
        return running!
      }
      if (owner) {
        log.warn('postgres_left_behind', { pid: running!.pid })
        await endLeftBehind(running!.pid)
      } else if (started ? hasEnded(started.child) : !running) {
        if (started && !IN_USE_MESSAGE.test(started.lastWords)) throw didNotStart(started)
        // Another PostgreSQL uses the folder, perhaps only for a moment.
        started = running ? undefined : this.#spawn()
      } else if (started && performance.now() > deadline) {
        await endChild(started.child)
        throw didNotStart(started)
      }
      await sleep(POLL_MS)
    }
  }

  #spawn(): Postmaster {
    const { binaries, user, cluster, settings, log } = this.#options
    const settingArgs = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const { program, args, ids } = launchAs(user, binaries.postgres, ['-D', cluster.data, ...settingArgs])
    const child = spawn(program, args, {
      ...ids,
      cwd: cluster.data,
      env: binaries.env,
      // PostgreSQL gets a process group of its own: Ctrl-C in a terminal ends a whole group, but the portal needs the database until it has stopped.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    // Ends PostgreSQL with this process, even after an uncaught error.
    const endWithProcess = () => void child.kill('SIGINT')
    process.once('exit', endWithProcess)
    child.once('exit', () => process.off('exit', endWithProcess))
    const postmaster = { child, lastWords: '' }
    createInterface({ input: child.stderr }).on('line', (line) => {
      postmaster.lastWords = `${postmaster.lastWords}${line}\n`.slice(-1_000)
      logLine(log, line)
    })
    return postmaster
  }

  async #watch(): Promise<void> {
    for (;;) {
      const { child } = this.#postmaster!
      if (!hasEnded(child)) await once(child, 'exit')
      if (this.#isStopping) return
      this.#options.log.error('postgres_ended', { code: child.exitCode, signal: child.signalCode })
      await this.#restart()
    }
  }

  /** Starts PostgreSQL again, until that succeeds. Meanwhile the portal reports that it is not ready. */
  async #restart(): Promise<void> {
    for (let pause = FIRST_PAUSE_MS; !this.#isStopping; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      await sleep(pause)
      try {
        await this.#begin()
        return this.#options.log.warn('postgres_restarted')
      } catch (error) {
        this.#options.log.error('postgres_restart_failed', { why: error instanceof Error ? error.message : undefined })
      }
    }
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode !== null || signalCode !== null

async function endChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  child.kill('SIGINT')
  const killTimer = setTimeout(() => void child.kill('SIGQUIT'), STOP_TIMEOUT_MS)
  await once(child, 'exit')
  clearTimeout(killTimer)
}

const didNotStart = ({ lastWords }: Postmaster) =>
  new EmbeddedError('DID_NOT_START', `PostgreSQL did not start: ${lastWords.trim()}`)

/** A log line of PostgreSQL: `LOG:  checkpoint starting: time` */
const LOG_LINE = /^([A-Z]+): +(\S.*)$/

function logLine(log: Log, line: string): void {
  const [, level, said] = LOG_LINE.exec(line) ?? [undefined, 'LOG', line]
  const write = level === 'LOG' ? log.info : level === 'PANIC' ? log.error : log.warn
  write('postgres', { said })
}
