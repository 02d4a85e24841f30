import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { pipeline } from 'node:stream/promises'
import { DeskError } from '../desk/Desk.ts'

export interface Command {
  /** As people call it. */
  name: string
  program: string
  args: string[]
  env?: NodeJS.ProcessEnv
}

/**
 * Runs programs, each of which reads what the one before it writes.
 * @throws DeskError when one is not installed or fails, with its own words
 */
export async function piped(...commands: Command[]): Promise<void> {
  const children = commands.map(({ program, args, env = process.env }, nth) =>
    spawn(program, args, {
      env,
      stdio: [nth === 0 ? 'ignore' : 'pipe', nth === commands.length - 1 ? 'ignore' : 'pipe', 'pipe'],
    }),
  )
  const ends = children.map((child, nth) => failureOf(commands[nth]!, child))
  for (const [nth, { stdout }] of children.entries()) {
    const stdin = children[nth + 1]?.stdin
    // A pipe breaks when a program ends too soon, which is told by that.
    if (stdout && stdin) pipeline(stdout, stdin).catch(() => undefined)
  }
  const failures = (await Promise.all(ends)).filter((failure) => failure !== undefined)
  // Whoever writes into a pipe that broke has failed, too. It is not the reason.
  const reason = failures.find((failure) => !/broken pipe/i.test(failure)) ?? failures[0]
  if (reason !== undefined) throw new DeskError(reason)
}

/** Nothing when it did what it should. */
async function failureOf({ name, program }: Command, child: ChildProcess): Promise<string | undefined> {
  let words = ''
  child.stderr?.setEncoding('utf8').on('data', (part: string) => (words += part))
  try {
    await once(child, 'close')
  } catch {
    return `${program} is not installed.`
  }
  return child.exitCode === 0 ? undefined : `${name} failed: ${words.trim()}`
}
