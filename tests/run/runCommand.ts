import { spawn } from 'node:child_process'
import { delimiter, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')
const BIN = resolve(ROOT, 'node_modules/.bin')

/** Runs a command at the root; its output goes to the terminal, or to `listener`. Returns its exit code, 1 when a signal ended it. */
export function runCommand(
  [program, ...args]: readonly [string, ...string[]],
  env: Record<string, string> = {},
  listener?: (text: string) => void,
) {
  return new Promise<number>((done) => {
    const path = `${BIN}${delimiter}${process.env['PATH'] ?? ''}`
    const stdio = listener ? ('pipe' as const) : ('inherit' as const)
    const child = spawn(program, args, { cwd: ROOT, stdio, env: { ...process.env, PATH: path, ...env } })
    for (const output of [child.stdout, child.stderr])
      output?.setEncoding('utf8').on('data', (text: string) => listener?.(text))
    child.once('error', (error) => {
      console.error(`${program} could not be started: ${error.message}`)
      done(1)
    })
    child.once('close', (code) => done(code ?? 1))
  })
}
