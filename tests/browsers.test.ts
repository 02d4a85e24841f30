import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { OLDEST_BROWSERS } from '../build/browsers.ts'

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '..', file), 'utf8')

it('the README and the docs say the oldest versions that package.json says', () => {
  const { chrome, edge, firefox, safari, ios_saf: ios } = Object.fromEntries(OLDEST_BROWSERS)
  expect(edge).toBe(chrome)
  expect(read('README.md')).toContain(
    `Chrome and Edge ${chrome}, Firefox ${firefox}, Safari ${safari} and iOS ${ios}, or later`,
  )
  const versions = read('docs/BROWSERS.md').split('## How it is kept')[0]
  const cells = [...versions!.matchAll(/^\| (\w+)\b[^|]*\| (?:iOS )?([\d.]+) /gm)].map(
    ([, browser, version]) => `${browser} ${version}`,
  )
  expect(cells).toEqual([`Chrome ${chrome}`, `Edge ${edge}`, `Firefox ${firefox}`, `Safari ${safari}`, `Every ${ios}`])
})
