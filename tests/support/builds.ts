import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { apiOrigins } from './apiOrigins.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** The releases that browser tests serve: the second one is what an update lands on, the third has the outage drill. */
export const BUILD_IDS = ['1', '2', 'drill'] as const
export type BuildId = (typeof BUILD_IDS)[number]

export const buildDirectory = (id: BuildId): string => join(ROOT, 'dist-e2e', id)

/**
 * Builds the product as release `id`.
 * @throws Error with the build's own output when it fails.
 */
export function build(id: BuildId): void {
  const run = spawnSync(join(ROOT, 'node_modules/.bin/vite'), ['build', '--logLevel', 'warn'], {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      BUILD_ID: id,
      DRILL: id === 'drill' ? 'on' : '',
      OUT_DIR: buildDirectory(id),
      API_ORIGINS: apiOrigins().join(','),
    },
    encoding: 'utf8',
  })
  if (run.status !== 0) throw new Error(`vite build of release ${id} failed:\n${run.stdout}${run.stderr}`)
}
