import { readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { join } from 'node:path'

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
