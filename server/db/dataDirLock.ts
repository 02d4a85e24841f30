import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as v from 'valibot'
import type { Log } from '../log.ts'

/** Two processes on one embedded database silently lose acknowledged rows (STACK §4), so the second one stays out. */
export class DataDirLocked extends Error {
  override name = 'DataDirLocked' as const
  readonly pid: number
  constructor(dataDir: string, pid: number) {
    super(`${dataDir} is in use by process ${pid}: stop that one first, or set another DATA_DIR.`)
    this.pid = pid
  }
}

const Holder = v.object({ pid: v.number(), started: v.string() })
type Holder = v.InferOutput<typeof Holder>

/** Takes `dataDir` for this process and returns what gives it back. A lock whose process is gone is taken over. */
export function lockDataDir(dataDir: string, log: Log): () => void {
  const path = join(dataDir, 'server.lock')
  const mine = JSON.stringify({ pid: process.pid, started: startOf(process.pid) ?? '' } satisfies Holder)
  for (;;) {
    if (create(path, mine)) return () => rmSync(path, { force: true })
    const found = read(path)
    const holder = parse(found)
    if (holder && startOf(holder.pid) === holder.started) throw new DataDirLocked(dataDir, holder.pid)
    if (found !== undefined && remove(path, found)) log.warn('stale_lock_taken_over', { pid: holder?.pid })
  }
}

/** Written beside and then linked: a lock is never seen half written. */
function create(path: string, text: string): boolean {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, text)
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

/** Moves the lock away before deleting it: if another process was quicker, what we moved is its lock, and goes back. */
function remove(path: string, expected: string): boolean {
  const aside = `${path}.stale.${process.pid}`
  try {
    renameSync(path, aside)
  } catch {
    return false
  }
  const stale = read(aside) === expected
  if (!stale) renameSync(aside, path)
  rmSync(aside, { force: true })
  return stale
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function parse(text: string | undefined): Holder | undefined {
  try {
    const parsed = v.safeParse(Holder, JSON.parse(text ?? ''))
    return parsed.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}

/** What tells a process from a later one with the same number: its start time where the system tells it, else that it lives. */
function startOf(pid: number): string | undefined {
  if (!isAlive(pid)) return undefined
  try {
    // Counted after the name in parentheses, which may itself hold spaces: fields 3 (state) and 22 (start) of proc(5).
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    // Killed, but not yet waited for by its parent.
    return fields[0] === 'Z' ? undefined : fields[19]
  } catch {
    return 'alive'
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
