import { execFile } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../server/freePort.ts'

const ROOT = resolve(import.meta.dirname, '../../..')

/** The releases that browser tests serve: the second is the update, and the third has the outage drill. */
export const BUILD_IDS = ['1', '2', 'drill'] as const

export type BuildId = (typeof BUILD_IDS)[number]

/** The second release with the kill switch in place of its worker. */
export const KILL_SWITCH = 'kill-switch'

export type ReleaseId = BuildId | typeof KILL_SWITCH

export const buildDirectory = (id: ReleaseId): string => join(ROOT, 'dist-e2e', id)

/**
 * Builds the product as release `id`.
 * @throws Error with the build's own output when it fails.
 */
export function build(id: BuildId, outDir = buildDirectory(id)): Promise<void> {
  return run('vite', ['build', '--logLevel', 'warn'], id, outDir)
}

/** Builds the kill switch; needs release 2. Throws as `build` does. */
export async function buildKillSwitch(): Promise<void> {
  rmSync(buildDirectory(KILL_SWITCH), { recursive: true, force: true })
  cpSync(buildDirectory('2'), buildDirectory(KILL_SWITCH), { recursive: true, preserveTimestamps: true })
  await run('npm', ['run', 'build:kill-switch', '--', '--logLevel', 'warn'], KILL_SWITCH, buildDirectory(KILL_SWITCH))
}

async function run(command: string, args: string[], id: ReleaseId, outDir: string): Promise<void> {
  const local = command === 'npm' ? command : join(ROOT, 'node_modules/.bin', command)
  await promisify(execFile)(local, args, {
    cwd: ROOT,
    env: {
      ...process.env,
      NODE_ENV: 'production',
      BUILD_ID: id,
      DRILL: id === 'drill' ? 'on' : '',
      OUT_DIR: outDir,
      API_ORIGINS: apiOrigins().join(','),
    },
  }).catch(({ stdout, stderr }: { stdout?: string; stderr?: string }) => {
    throw new Error(`${command} of release ${id} failed:\n${stdout}${stderr}`)
  })
}

const VARIABLE = 'TEST_API_ORIGINS'

const COUNT = 2

/** Picks the origins that the builds under test may call. Runs before the builds, which contain them. */
export async function pickApiOrigins(): Promise<void> {
  const ports = await Promise.all(Array.from({ length: COUNT }, freePort))
  process.env[VARIABLE] = ports.map((port) => `http://127.0.0.1:${port}`).join(',')
}

/** Returns the origins of this run's allow-list; empty outside of a browser run. */
export const apiOrigins = (): string[] => (process.env[VARIABLE] ?? '').split(',').filter(Boolean)
