import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Log } from '../../log.ts'
import type { Binaries } from './binaries.ts'
import { EmbeddedError } from './EmbeddedError.ts'
import { launchAs, type PostgresUser } from './PostgresUser.ts'

export interface PostmasterOptions {
  binaries: Binaries
  user: PostgresUser
  data: string
  settings: Record<string, string>
  log: Log
}

/** Recovery after a crash reads the log written since the last checkpoint. */
const START_TIMEOUT_MS = 120_000
/** A fast shutdown writes a checkpoint; docker and systemd give ten seconds to all of us. */
const STOP_TIMEOUT_MS = 5_000
const LOOK_EVERY_MS = 10
/** What a second start meets while another PostgreSQL has the folder, or is just leaving it. */
const HELD = /lock file .* already exists|shared memory block/

/** One PostgreSQL as a child of this process. */
export class Postmaster {
  readonly #child: ChildProcess
  readonly #data: string
  #lastWords = ''
  // Whatever ends us, a crash included, ends it too.
  readonly #endWithUs = () => void this.#child.kill('SIGINT')

  constructor({ binaries, user, data, settings, log }: PostmasterOptions) {
    const { program, args, ids } = launchAs(user, binaries.postgres, ['-D', data, ...argumentsOf(settings)])
    this.#data = data
    this.#child = spawn(program, args, {
      ...ids,
      cwd: data,
      env: binaries.env,
      // A group of its own: Ctrl-C in a terminal goes to everybody in a group, and the portal has to answer to the end.
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    process.once('exit', this.#endWithUs)
    this.#child.once('exit', () => process.off('exit', this.#endWithUs))
    createInterface({ input: this.#child.stderr! }).on('line', (line) => {
      this.#lastWords = `${this.#lastWords}${line}\n`.slice(-1_000)
      note(log, line)
    })
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null
  }

  /** Resolves with where it listens, or with nothing when another PostgreSQL has the folder. @throws EmbeddedError DID_NOT_START */
  async untilReady(): Promise<Listening | undefined> {
    const deadline = performance.now() + START_TIMEOUT_MS
    while (!this.hasEnded && performance.now() < deadline) {
      const running = runningPostmaster(this.#data)
      if (running?.isReady && running.pid === this.#child.pid) return running
      await sleep(LOOK_EVERY_MS)
    }
    if (this.hasEnded && HELD.test(this.#lastWords)) return undefined
    await this.stop()
    throw new EmbeddedError('DID_NOT_START', `PostgreSQL did not start: ${this.#lastWords.trim()}`)
  }

  /** Resolves when it has ended, by whatever cause, with the words to log. */
  async ended(): Promise<{ code: number | null; signal: string | null }> {
    if (!this.hasEnded) await once(this.#child, 'exit')
    return { code: this.#child.exitCode, signal: this.#child.signalCode }
  }

  /** Ends every transaction and the process; at once, and with a recovery at the next start, when that takes too long. */
  async stop(): Promise<void> {
    this.#child.kill('SIGINT')
    const late = setTimeout(() => void this.#child.kill('SIGQUIT'), STOP_TIMEOUT_MS)
    await this.ended()
    clearTimeout(late)
  }

  /** Lets it live on when this process ends: it is another server's by now. */
  leave(): void {
    process.off('exit', this.#endWithUs)
    this.#child.unref()
    this.#child.stderr?.destroy()
  }
}

const argumentsOf = (settings: Record<string, string>) =>
  Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])

/** `LOG:  checkpoint starting: time` */
const LINE = /^([A-Z]+): +(\S.*)$/

function note(log: Log, line: string): void {
  const [, level, said] = LINE.exec(line) ?? [undefined, 'LOG', line]
  const write = level === 'LOG' ? log.info : level === 'PANIC' ? log.error : log.warn
  write('postgres', { said })
}

/** Where a running PostgreSQL listens. */
export interface Listening {
  pid: number
  /** A folder with its socket, or an address. */
  host: string
  port: number
}

/** The lines of postmaster.pid that are read here, by number. */
const PID = 0
const PORT = 3
const SOCKET_FOLDER = 4
const ADDRESS = 5
const STATUS = 7

/** The PostgreSQL that runs on this data folder, by the file that it keeps there while it does. */
export function runningPostmaster(data: string): (Listening & { isReady: boolean }) | undefined {
  const file = join(data, 'postmaster.pid')
  const lines = linesOf(file)
  const pid = Number(lines?.[PID])
  if (lines === undefined || !isAlive(pid)) return undefined
  if (!isPostmaster(pid, data)) {
    removeStale(file, lines, data)
    return undefined
  }
  const host = lines[SOCKET_FOLDER] || lines[ADDRESS] || ''
  return { pid, host, port: Number(lines[PORT]), isReady: lines[STATUS] === 'ready' && host !== '' }
}

/**
 * The process of that number is another one: ours was killed, and in a container numbers come again soon. PostgreSQL would take
 * it for one of its own, and not start. The file stays while a process is left in the folder: with it PostgreSQL itself waits
 * for the last one of a killed server, and without it both would write.
 */
function removeStale(file: string, lines: string[], data: string): void {
  if (process.platform !== 'linux') return
  const isUsed = readdirSync('/proc').some((name) => /^\d+$/.test(name) && worksIn(Number(name), data))
  if (!isUsed && linesOf(file)?.[PID] === lines[PID]) rmSync(file, { force: true })
}

function linesOf(file: string): string[] | undefined {
  try {
    return readFileSync(file, 'utf8')
      .split('\n')
      .map((line) => line.trim())
  } catch {
    return undefined
  }
}

/** Where the system does not tell in which folder a process works, any process of the number has to do. */
const isPostmaster = (pid: number, data: string) => process.platform !== 'linux' || worksIn(pid, data)

/** Every process of PostgreSQL works in its data folder. */
function worksIn(pid: number, data: string): boolean {
  try {
    return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(data)
  } catch {
    return false
  }
}

export function isAlive(pid: number): boolean {
  if (!(pid > 0)) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
