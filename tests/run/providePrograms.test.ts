import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { PROGRAMS, versionOf, type Program } from './programs.ts'
import { providePrograms } from './providePrograms.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'programs-'))
  vi.stubEnv('PATH', folder)
  vi.spyOn(process, 'getuid').mockReturnValue(0)
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})

function script(name: string, ...lines: string[]): void {
  writeFileSync(join(folder, name), ['#!/bin/sh', ...lines, ''].join('\n'))
  chmodSync(join(folder, name), 0o755)
}

const installed = (name: string, version: string) => script(name, `echo "${name} ${version}, of Debian 12"`)

/** An archive with these versions. It writes down what it was asked, and puts programs where the real one would. */
function archive(versions: Record<string, string>, updateExit = 0): void {
  const cases = Object.entries(versions).map(
    ([name, version]) =>
      `${name}) printf '#!/bin/sh\\necho ${name} ${version}\\n' > ${folder}/${name}; /bin/chmod 755 ${folder}/${name};;`,
  )
  script(
    'apt-get',
    '[ "$1" = --version ] && { echo apt 2.6.1; exit 0; }',
    `echo "$DEBIAN_FRONTEND $*" >> ${folder}/asked`,
    `[ "$1" = update ] && exit ${updateExit}`,
    'for name; do case $name in',
    ...cases,
    'none) exit 100;; esac; done',
  )
}

const asked = () => {
  const file = join(folder, 'asked')
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
}

const program = (name: string, oldest: string, more: Partial<Program> = {}): Program => ({
  name,
  version: () => versionOf(name),
  oldest,
  why: 'a reason',
  packages: [name],
  ...more,
})

async function provide(...programs: Program[]) {
  const lines: string[] = []
  const missing = await providePrograms(programs, (line) => lines.push(line))
  return { lines, missing: Object.fromEntries(missing) }
}

it('what is new enough is used as it is: nothing is run, and its version is said', async () => {
  archive({ browser: '160.0.1', proxy: '1.30' })
  installed('browser', '150.0.7871.100')
  installed('proxy', '1.22')
  const said = await provide(program('browser', '150'), program('proxy', '1.9'))
  expect(said).toEqual({ lines: ['browser 150.0.7871.100', 'proxy 1.22'], missing: {} })
  expect(asked()).toEqual([])
})

it('what is too old or missing is installed after one update, and nothing else', async () => {
  archive({ browser: '156.0.1', proxy: '1.30', store: '2.30' })
  installed('browser', '99.0.1')
  installed('proxy', '1.22')
  const said = await provide(program('browser', '150'), program('proxy', '1.22'), program('store', '2.30'))
  const lines = [
    'browser 99.0.1 is too old: the tests need 150 or later (a reason).',
    'proxy 1.22',
    'store is not here: the tests need 2.30 or later (a reason).',
    'browser 156.0.1',
    'store 2.30',
  ]
  expect(said).toEqual({ lines, missing: {} })
  const wait = '-o DPkg::Lock::Timeout=300'
  const install = `noninteractive install -y -qq --no-install-recommends ${wait}`
  expect(asked()).toEqual([`noninteractive update -qq ${wait}`, `${install} browser`, `${install} store`])
})

it('what comes with another is not asked for again', async () => {
  archive({ browser: '156', window: '156' })
  const both = { packages: ['browser', 'window'] }
  expect(await provide(program('browser', '150', both), program('window', '150', both))).toMatchObject({ missing: {} })
  expect(asked()).toHaveLength(2)
})

it('what has to be there before is installed first, and may be set up between', async () => {
  archive({ common: '248', base: '15.20' })
  const prepare = vi.fn(() => expect(versionOf('base')).toBeUndefined())
  const said = await provide(program('base', '15', { first: { packages: ['common'], prepare } }))
  expect(said.missing).toEqual({})
  expect(prepare).toHaveBeenCalledOnce()
})

it('without apt it says what to install', async () => {
  installed('browser', '99')
  const missing = {
    browser:
      'browser 99 is too old: the tests need 150 or later (a reason). There is no apt-get here: install what Debian calls browser.',
  }
  expect(await provide(program('browser', '150'))).toMatchObject({ missing })
})

it('what another command installs is left alone, and its command is said', async () => {
  archive({ engine: '153' })
  const { packages: _, ...engine } = program('engine', '0', {
    installedBy: 'npm run other',
    without: 'nothing is tested in it',
  })
  const lines = [
    'engine is not here: the tests need 0 or later (a reason).',
    'engine: npm run other installs it. Until then nothing is tested in it.',
  ]
  expect(await provide(engine)).toEqual({ lines, missing: {} })
  expect(asked()).toEqual([])
})

it('who is not root is told what root would run, and nothing is run', async () => {
  vi.spyOn(process, 'getuid').mockReturnValue(1000)
  archive({ browser: '156' })
  const { missing } = await provide(program('browser', '150'))
  expect(missing['browser']).toMatch(/Only root can do it: apt-get update && apt-get install browser$/)
  expect(asked()).toEqual([])
})

it('says where apt fails, and where the archive has nothing that is new enough', async () => {
  archive({ browser: '120' })
  const { missing } = await provide(program('browser', '150'), program('none', '1'))
  expect(missing).toEqual({
    browser:
      'browser 120 is too old: the tests need 150 or later (a reason). Debian has no later one for this machine.',
    none: 'none is not here: the tests need 1 or later (a reason). This failed: apt-get install none',
  })
  archive({ browser: '156' }, 100)
  expect((await provide(program('browser', '150'))).missing['browser']).toMatch(/This failed: apt-get update$/)
})

it('what somebody chose is never replaced', async () => {
  archive({ browser: '156' })
  installed('browser', '99')
  const { missing } = await provide(program('browser', '150', { chosenBy: 'CHROMIUM' }))
  expect(missing['browser']).toMatch(/CHROMIUM chose it: set it to another, or to none\.$/)
  expect(asked()).toEqual([])
})

it('what the tests can do without is no failure while there is none, and one where it is too old', async () => {
  const proxy = program('proxy', '1.22', { without: 'its tests are skipped' })
  const said = await provide(proxy)
  expect(said.missing).toEqual({})
  expect(said.lines.at(-1)).toBe(
    'proxy: There is no apt-get here: install what Debian calls proxy. Until then its tests are skipped.',
  )
  installed('proxy', '1.9')
  expect((await provide(proxy)).missing['proxy']).toMatch(/^proxy 1\.9 is too old/)
})

it('each program that the checks need says its version, or is not here', async () => {
  const versions = await Promise.all(Object.values(PROGRAMS).map(async ({ version }) => (await version()) ?? '0'))
  for (const version of versions) expect(version).toMatch(/^\d+(\.\d+)*$/)
  vi.unstubAllEnvs()
  expect(PROGRAMS.node.version()).toBe(process.versions.node)
  expect(PROGRAMS.npm.version()).toMatch(/^\d+\.\d+/)
})
