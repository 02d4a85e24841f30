import { spawnSync } from 'node:child_process'

/** The version that a program prints; `undefined` when it does not run. */
export function versionOf(program?: string, args = ['--version'], env = process.env): string | undefined {
  if (!program) return undefined
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' })
  // nginx prints it to stderr.
  return status === 0 ? (/\d+(?:\.\d+)*/.exec(stdout + stderr)?.[0] ?? '0') : undefined
}
