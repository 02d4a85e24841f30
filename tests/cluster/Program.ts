import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { ClusterError } from './ClusterError.ts'

export interface HowToRun {
  /** Used in its messages. */
  name: string
  command: readonly string[]
  /** The file that gets its output. */
  log: string
  env?: NodeJS.ProcessEnv
  cwd?: string
  uid?: number
  gid?: number
  /** The signal it gets when this process exits without having ended it. */
  signalAtExit?: NodeJS.Signals
}

const PATIENCE_MS = 20_000
const LAST_WORDS = 1_500

/** A child process that can be started again and again. */
export class Program {
  readonly name: string
  readonly log: string
  readonly #how: HowToRun
  #child: ChildProcess | undefined
  #ended: Promise<void> = Promise.resolve()
  readonly #endWithUs = () => void this.#child?.kill(this.#how.signalAtExit ?? 'SIGTERM')

  constructor(how: HowToRun) {
    this.name = how.name
    this.log = how.log
    this.#how = how
  }

  get pid(): number | undefined {
    return this.isRunning() ? this.#child?.pid : undefined
  }

  isRunning(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null
  }

  start(): void {
    const { command, log, env = {}, name: _, ...where } = this.#how
    const [program = '', ...args] = command
    const file = openSync(log, 'a')
    // In its own group, so that Ctrl-C reaches only us and the programs are ended in order.
    const how = { ...where, env: { ...process.env, ...env }, detached: true }
    const child = spawn(program, args, { ...how, stdio: ['ignore', file, file] })
    closeSync(file)
    this.#child = child
    this.#ended = new Promise((done) => {
      child.once('exit', () => done())
      child.once('error', () => done())
    })
    process.off('exit', this.#endWithUs).once('exit', this.#endWithUs)
  }

  /** @throws ClusterError ENDED, with the end of its log */
  expectRunning(): void {
    if (this.isRunning()) return
    throw new ClusterError('ENDED', `${this.name} has ended. Its last words:\n${this.lastWords()}`)
  }

  lastWords(): string {
    return readFileSync(this.#how.log, 'utf8').slice(-LAST_WORDS)
  }

  /** Asks it to stop, waits, and kills it when it does not end in time. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    process.off('exit', this.#endWithUs)
    if (!this.isRunning()) return
    this.#child!.kill(signal)
    const patience = new AbortController()
    const late = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).then(() => this.#child!.kill('SIGKILL'))
    late.catch(() => undefined)
    await this.#ended
    patience.abort()
  }
}
