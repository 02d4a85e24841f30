import { spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './freePort.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
/** Long, because a busy machine starts a process slowly. */
const START_TIMEOUT_MS = 60_000

export type ServerProcess = Awaited<ReturnType<typeof spawnServer>>

/**
 * Starts `server/main.ts` as an operator would, on `wantedPort` or a free one, and waits until it is ready.
 * @throws Error with its output when it does not start.
 */
export async function startServer(
  env: Record<string, string>,
  wantedPort?: number,
  release?: string,
): Promise<ServerProcess> {
  const server = await spawnServer(env, wantedPort, release)
  await server.untilReady()
  return server
}

/** Starts it without waiting. `release` is the folder of another release than the code under test. */
export async function spawnServer(env: Record<string, string>, wantedPort?: number, release = ROOT) {
  const host = '127.0.0.1'
  const port = wantedPort ?? (await freePort())
  const url = `http://${host}:${port}`
  const child = spawn(process.execPath, ['--import', 'tsx', join(release, 'server/main.ts')], {
    cwd: release,
    env: { ...process.env, NODE_ENV: 'production', HOST: host, PORT: String(port), PUBLIC_URL: url, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed = (printed + chunk.toString()).slice(-20_000)
    })
  }
  const ended = new Promise<number | null>((done) => child.once('exit', done))
  const end = (signal: NodeJS.Signals) => async () => {
    child.kill(signal)
    return ended
  }
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const server = {
    pid: child.pid!,
    host,
    port,
    url,
    ask: (path: string, init?: RequestInit) => fetch(url + path, init),
    /** Returns the processor seconds that all its threads have used so far. */
    cpuSeconds: () => cpuSecondsOf(server.pid),
    /** Starts to watch memory. The returned function returns by how many bytes it has grown at most since then. */
    watchMemory: () => watchMemory(server.pid),
    /** Returns the end of its output so far. */
    printed: () => printed,
    isRunning,
    /** Resolves to its exit code, or null if a signal ended it. */
    ended,
    /**
     * @throws Error with its output when it does not start.
     */
    async untilReady() {
      const deadline = Date.now() + START_TIMEOUT_MS
      while (!(await isReady(url))) {
        if (!isRunning() || Date.now() > deadline) {
          await server.stop()
          throw new Error(`the server did not start:\n${printed}`)
        }
        await sleep(100)
      }
    },
    /** Asks it to stop (SIGTERM) and waits for its end. Returns its exit code, or null if a signal ended it. */
    stop: end('SIGTERM'),
    /** Ends it in the middle of its work (SIGKILL). */
    kill: end('SIGKILL'),
  }
  return server
}

const TICKS_PER_SECOND = 100

/** Returns user and system time as the kernel counts it (proc(5), stat, fields 14 and 15). The name before them may contain spaces. */
export function cpuSecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** The kernel records the peak of resident memory and resets it when 5 is written to clear_refs (proc(5)). */
function watchMemory(pid: number): () => number {
  const kilobytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1])
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
  const before = kilobytes('VmRSS')
  return () => (kilobytes('VmHWM') - before) * 1_024
}

const isReady = (url: string) =>
  fetch(`${url}/api/ready`).then(
    (response) => response.ok,
    () => false,
  )
