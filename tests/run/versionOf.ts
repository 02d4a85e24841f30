import { spawnSync } from 'node:child_process'

/** What a program of this machine says of its version; `undefined` when there is none that runs. */
export function versionOf(program?: string, args = ['--version'], env = process.env): string | undefined {
  if (!program) return undefined
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: 'utf8' })
  // nginx says it where errors go.
  return status === 0 ? (/\d+(?:\.\d+)*/.exec(stdout + stderr)?.[0] ?? '0') : undefined
}
