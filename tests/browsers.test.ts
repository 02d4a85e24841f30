import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { OLDEST_BROWSERS } from '../build/browsers.ts'

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '..', file), 'utf8')
const page = read('docs/BROWSERS.md')

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
