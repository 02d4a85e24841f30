import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { Environment } from '../server/config.ts'

const read = (file: string) => readFileSync(resolve(import.meta.dirname, '..', file), 'utf8')

/** The rows of the table "Configuration". */
const rows = [...sectionOf('Configuration').matchAll(/^\| `(\w+)` +\| (.+?) +\| /gm)].map(([, name, told]) => ({
  name: name!,
  told: told!,
}))

function sectionOf(title: string): string {
  const sections = read('docs/OPERATIONS.md').split('\n## ')
  return sections.find((section) => section.startsWith(`${title}\n`))!
}

it('OPERATIONS.md has every variable of the server once, and none that it does not know', () => {
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(Environment.entries).toSorted())
})

it('OPERATIONS.md tells the default of each', () => {
  const fixed = Object.entries(Environment.entries).filter(
    ([, { default: value }]) => typeof value === 'string' && value,
  )
  expect(fixed.length).toBeGreaterThan(0)
  for (const [name, { default: value }] of fixed) {
    expect(rows).toContainEqual({ name, told: `\`${String(value)}\`` })
  }
})

/** Variables that the image sets. */
const OF_THE_IMAGE = ['PORT', 'HOST', 'DATA_DIR']

it('compose.yaml passes every variable of the server on, and no other', () => {
  const environment = /^ {2}environment:\n((?: {4}(?:\w+: |#).*\n)+)/m.exec(read('compose.yaml'))?.[1] ?? ''
  const names = [...environment.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name!)
  const wanted = Object.keys(Environment.entries).filter((name) => !OF_THE_IMAGE.includes(name))
  expect(names.toSorted()).toEqual(wanted.toSorted())
})

/** Matches the first argument of a log call, and of background work, whose failure is logged under that name. */
const EVENT = /\b(?:log\.(?:info|warn|error)|background\.run)\(\s*'(\w+)'/g

it('OPERATIONS.md has a word about every event of the log', () => {
  const files = readdirSync(resolve(import.meta.dirname, '../server'), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
  const events = sources.flatMap((file) => [...read(`server/${file}`).matchAll(EVENT)].map(([, event]) => event!))
  expect(events).toContain('request')
  const told = sectionOf('Logs')
  expect([...new Set(events)].filter((event) => !told.includes(`\`${event}\``))).toEqual([])
})
