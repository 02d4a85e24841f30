import { execFile } from 'node:child_process'
import { resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../../..')

export interface Output {
  code: number
  out: string
  err: string
}

/**
 * Runs `server/<program>.ts` as its npm script does, but without npm, whose start takes a second. It gets only PATH, HOME and the variables of `env`.
 */
export const runCommandLine = (program: string, args: string[], env: Record<string, string>): Promise<Output> =>
  new Promise((done) => {
    const { PATH = '', HOME = '' } = process.env
    const options = { cwd: ROOT, env: { PATH, HOME, ...env } }
    execFile('node', ['--import', 'tsx', `server/${program}.ts`, ...args], options, (error, out, err) =>
      done({ code: error ? Number(error.code ?? 1) : 0, out, err }),
    )
  })
