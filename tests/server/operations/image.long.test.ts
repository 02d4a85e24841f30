import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../support/server/freePort.ts'
import { serverEnvironment, type ServerEnvironment } from '../../support/server/serverEnvironment.ts'
import { execForm, imageInstructions } from './dockerfile.ts'

// Copies the files of the Dockerfile's image into a folder and starts them as the image would: these tests have no container engine.
// `IMAGE=long` runs npm and the build too, instead of taking the packages that are installed here.

const ROOT = resolve(import.meta.dirname, '../../..')
const LONG = process.env['IMAGE'] === 'long'
const run = promisify(execFile)
const instructions = imageInstructions()
const textsOf = (name: string) => instructions.filter((one) => one.name === name).map(({ text }) => text)

let folder: string
let place: ServerEnvironment

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { recursive: true, filter: (path) => !/\.test\.tsx?$/.test(path) })
}

/** Copies the files that .dockerignore lets through, as they are sent to the builder. */
function sendContext(to: string): void {
  const kept = readFileSync(join(ROOT, '.dockerignore'), 'utf8').matchAll(/^!(.+)$/gm)
  for (const [, name] of kept) copy(join(ROOT, name!), join(to, name!))
}

/** The environment of a container: without the variables of the test runner, above all NODE_ENV. */
const plainEnv = { PATH: process.env['PATH'], HOME: process.env['HOME'] }

/** Returns the folder of the built portal. The short form takes unbuilt files instead: the server becomes ready without reading them. */
async function buildPortal(): Promise<string> {
  if (!LONG) return join(ROOT, 'public')
  const stage = join(folder, 'build')
  sendContext(stage)
  await run('npm', ['ci'], { cwd: stage, env: plainEnv })
  await run('npm', ['run', 'build'], { cwd: stage, env: plainEnv })
  return join(stage, 'dist')
}

async function installPackages(image: string): Promise<void> {
  if (LONG) return void (await run('npm', ['ci', '--omit=dev'], { cwd: image, env: plainEnv }))
  copyPackages(join(image, 'node_modules'))
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean }>
  }
  for (const [path, { dev }] of Object.entries(packages))
    if (dev) rmSync(join(image, path), { recursive: true, force: true })
}

/**
 * Copies node_modules by hard links where both are on one file system, since links take no room. In a worktree node_modules may be a symbolic link.
 * `cp` would copy that link, and removing packages from the copy would remove them from the original; so the real path is used.
 */
function copyPackages(to: string): void {
  const installed = realpathSync(join(ROOT, 'node_modules'))
  const copied = spawnSync('cp', ['-al', installed, to])
  if (copied.status === 0) return
  rmSync(to, { recursive: true, force: true })
  execFileSync('cp', ['-a', installed, to])
}

describe('the image of the Dockerfile', () => {
  let image: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'image-'))
    place = await serverEnvironment()
    image = join(folder, 'portal')
    const built = await buildPortal()
    for (const text of textsOf('COPY')) {
      const [target, ...sources] = text
        .replace(/^--from=\S+ /, '')
        .split(' ')
        .toReversed()
      for (const source of sources) {
        const isBuilt = text.startsWith('--from=build ')
        copy(isBuilt ? built : join(ROOT, source), join(image, sources.length > 1 ? source : target!))
      }
    }
    await installPackages(image)
  }, 600_000)
  afterAll(async () => {
    await place.remove()
    rmSync(folder, { recursive: true, force: true })
  }, 600_000)

  it('has all that the server needs, is healthy by its own check, and stops well when told to', async () => {
    const env = { ...plainEnv, PORT: String(await freePort()) }
    const [program, ...args] = execForm(textsOf('CMD')[0]!)
    const server = spawn(program!, args, {
      cwd: image,
      env: { ...env, ...place.env },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const ended = new Promise<number | null>((done) => server.once('exit', done))
    const [check, ...checkArgs] = execForm(textsOf('HEALTHCHECK')[0]!)
    await expect(run(check!, checkArgs, { env })).rejects.toMatchObject({ code: 1 })
    await expect
      .poll(
        () =>
          run(check!, checkArgs, { env }).then(
            () => 'healthy',
            () => server.exitCode ?? 'not yet',
          ),
        { timeout: 60_000, interval: 500 },
      )
      .toBe('healthy')
    server.kill('SIGTERM')
    expect(await ended).toBe(0)
  }, 90_000)

  // npm would install TypeScript for valibot, whose peer it may be, if it were installed under its own name.
  it('carries the packages of the server, and none of the build', () => {
    const megabytes = Number(
      /^\d+/.exec(execFileSync('du', ['-sm', join(image, 'node_modules')], { encoding: 'utf8' }))?.[0],
    )
    expect(megabytes).toBeLessThanOrEqual(230)
    for (const name of ['tsc', 'typescript', 'vite', 'react'])
      expect(existsSync(join(image, 'node_modules', name))).toBe(false)
  })

  it('runs as somebody who is not root, and carries no tests, no tools of developers and no settings but where it is', () => {
    expect(textsOf('USER')).toEqual(['node'])
    expect(textsOf('ENV')).toEqual(['NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data'])
    expect(textsOf('ARG')).toEqual([])
    for (const name of ['tests', 'node_modules/vitest', 'node_modules/playwright', '.git', 'data', 'sw']) {
      expect([name, existsSync(join(image, name))]).toEqual([name, false])
    }
  })
})
