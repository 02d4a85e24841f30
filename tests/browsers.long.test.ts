import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { OLDEST_BROWSERS } from '../build/browsers.ts'
import { build } from './support/browser/builds.ts'
import { newerScriptFeatures } from './support/browser/features/newerScriptFeatures.ts'
import { newerStyleFeatures } from './support/browser/features/newerStyleFeatures.ts'

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '..', file), 'utf8')
const page = read('docs/BROWSERS.md')

const release = mkdtempSync(join(tmpdir(), 'browsers-'))
beforeAll(() => build('1', release), 120_000)
afterAll(() => rmSync(release, { recursive: true }))

const built = (suffix: string) =>
  readdirSync(release, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(suffix))
    .map((file) => readFileSync(join(release, file), 'utf8'))

/** What the first cells of the table below this heading name. */
const namedBelow = (heading: string) =>
  [
    ...page
      .split(`### ${heading}\n`)[1]!
      .split('\n#')[0]!
      .matchAll(/^\|([^|]*)\|/gm),
  ]
    .flatMap(([, cell]) => [...cell!.matchAll(/`([^`]+)`/g)].map(([, name]) => name!))
    .toSorted()

it('the README, the docs and the page for older ones say the oldest versions that package.json says', () => {
  const { chrome, edge, firefox, safari, ios_saf: ios } = Object.fromEntries(OLDEST_BROWSERS)
  expect(edge).toBe(chrome)
  const sentence = `The portal runs in Chrome and Edge ${chrome}, Firefox ${firefox}, Safari ${safari} and iOS ${ios}, or later.`
  expect(read('README.md')).toContain(sentence)
  expect(read('index.html').replaceAll(/\s+/g, ' ')).toContain(sentence)
  const versions = page.split('## How it is kept')[0]!
  const cells = [...versions.matchAll(/^\| (\w+)\b[^|]*\| (?:iOS )?([\d.]+) /gm)]
  const pairs = cells.map(([, browser, version]) => `${browser} ${version}`)
  expect(pairs).toEqual([`Chrome ${chrome}`, `Edge ${edge}`, `Firefox ${firefox}`, `Safari ${safari}`, `Every ${ios}`])
})

it('what the scripts use and one of these lacks is listed with what happens there', () => {
  expect(newerScriptFeatures(built('.js'))).toEqual(namedBelow('In scripts'))
})

it('what the style sheets use and one of these lacks is listed with what happens there', () => {
  expect(newerStyleFeatures(built('.css'))).toEqual(namedBelow('In style sheets'))
})
