import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'

const START_TIMEOUT_MS = 30_000

/** As whom, where and with what environment it runs. */
interface ProcessPlace {
  uid?: number
  gid?: number
  cwd: string
  env: NodeJS.ProcessEnv
}

/** One postmaster after another on the same data. */
export class PostgresProcess {
  private child: ChildProcess | undefined
  private readonly command
  private readonly place
  private readonly url
  private readonly killWithUs = () => void this.child?.kill('SIGQUIT')

  constructor(command: string[], place: ProcessPlace, url: string) {
    this.command = command
    this.place = place
    this.url = url
  }

  /**
   * Backends of a killed postmaster may keep the next one out for a moment: it is started until it stays. One that still runs, in
   * the middle of its recovery perhaps, is waited for.
   */
  async start(): Promise<void> {
    const deadline = Date.now() + START_TIMEOUT_MS
    if (this.child && (await this.isBack(deadline))) return
    process.once('exit', this.killWithUs)
    for (;;) {
      const lastWords = this.spawn()
      try {
        return await this.untilAccepts(deadline)
      } catch (error) {
        const isStillHeld = lastWords().includes('pre-existing shared memory block')
        if (!isStillHeld || Date.now() > deadline) {
          throw new Error(`PostgreSQL did not start: ${lastWords()}`, { cause: error })
        }
      }
    }
  }

  /** Whether the one that runs accepts again; not when it ends instead. */
  private async isBack(deadline: number): Promise<boolean> {
    return this.untilAccepts(deadline).then(
      () => true,
      (error: unknown) => {
        if (hasEnded(this.child!)) return false
        throw error
      },
    )
  }

  async end(signal: NodeJS.Signals): Promise<void> {
    process.off('exit', this.killWithUs)
    const { child } = this
    if (!child || hasEnded(child)) return
    const exited = once(child, 'exit')
    child.kill(signal)
    await exited
  }

  private spawn(): () => string {
    const [program = '', ...args] = this.command
    this.child = spawn(program, args, { ...this.place, stdio: ['ignore', 'ignore', 'pipe'] })
    return collectLastWords(this.child)
  }

  private async untilAccepts(deadline: number): Promise<void> {
    for (;;) {
      const client = new Client({ connectionString: this.url, connectionTimeoutMillis: 1_000 })
      try {
        await client.connect()
        return await client.end()
      } catch (error) {
        if (hasEnded(this.child!) || Date.now() > deadline) throw error
        await sleep(50)
      }
    }
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null

function collectLastWords(server: ChildProcess): () => string {
  let words = ''
  server.stderr?.on('data', (chunk: Buffer) => {
    words = (words + chunk.toString()).slice(-2_000)
  })
  return () => words
}
