import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

const PLANTED: Record<string, string> = {
  loopInLoop: String.raw`export const is = (text: string) => /^(a+)+$/.test(text)`,
  loopsThatShare: String.raw`export const is = (text: string) => /^https?:[^\s@]+\.[^\s@]+$/.test(text)`,
  splitAtBlanks: String.raw`export const parts = (text: string) => text.split(/\s*,\s*/)`,
  patternInText: String.raw`export const is = (text: string) => new RegExp('(x+x+)+y').test(text)`,
  readOnce: String.raw`export const is = (text: string) => /^[\w-]+(\.[\w-]*){4}$/.test(text)`,
}

it('TBL-08: the lint finds every planted pattern whose time grows faster than its text, and no other', () => {
  const folder = mkdtempSync(join(tmpdir(), 'patterns-'))
  for (const [name, code] of Object.entries(PLANTED)) writeFileSync(join(folder, `${name}.ts`), code)
  const args = ['-c', join(ROOT, '.oxlintrc.regexp.json'), '--format', 'json', folder]
  const { stdout, status } = spawnSync(join(ROOT, 'node_modules/.bin/oxlint'), args, { encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { filename: string }[] }
  const found = new Set(diagnostics.map(({ filename }) => basename(filename, '.ts')))
  expect([...found].toSorted()).toEqual(['loopInLoop', 'loopsThatShare', 'patternInText', 'splitAtBlanks'])
  expect(status).toBe(1)
}, 30_000)
