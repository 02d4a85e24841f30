import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const DOCUMENT = '../docs/SECURITY-CASES.md'
/** Names cases that have no test. */
const OWN_FILE = 'securityCases.test.ts'

const AREAS: Record<string, { about: string; cases: number }> = {
  AUT: { about: 'Login, passwords and second factor', cases: 31 },
  SES: { about: 'Sessions and tokens', cases: 24 },
  ACL: { about: 'Who may see and do what', cases: 12 },
  VCH: { about: 'Vouchers, holds and the ledger', cases: 13 },
  TBL: { about: 'Lists, inputs and answers', cases: 15 },
  RPT: { about: 'Reports', cases: 7 },
  UPL: { about: 'Files', cases: 10 },
  WEB: { about: 'The portal in the browser', cases: 13 },
  SGN: { about: 'Applications', cases: 6 },
  FLT: { about: 'Faults', cases: 23 },
}

/** Nothing of these is run. */
const UNRUN: Record<string, string> = {}

/** Run in part: what is missing. */
const PARTLY: Record<string, string> = {
  'FLT-01': 'fewer rounds than 200 unless KILL_ROUNDS says so',
  'FLT-02': 'two kills unless LOAD=long, which are 200',
  'FLT-03': 'two restarts unless LOAD=long, which are 15 in five minutes',
  'FLT-09': 'one stop unless LOAD=long, which are 20',
  'FLT-11': 'with LOAD=long',
  'FLT-14': 'with libfaketime, where that is installed',
  'FLT-18': 'two power cuts unless KILL_ROUNDS says so; where a loop device can be mounted',
  'FLT-22': 'one machine unless LOAD=long, which are eight',
  'FLT-15': 'one kill unless LOAD=long, which are 30',
  'TBL-01':
    'sqlmap at its highest level, on 21 endpoints, is asked for with LOAD=long and SQLMAP_LEVEL=5; LOAD=long alone is level 2',
  'TBL-08': 'the case’s own 200 ms and 20 MB with LOAD=long; else 1 s and 40 MiB, for a machine that does other work',
  'TBL-13': 'the long form is asked for with LOAD=long',
  'WEB-02': 'Chromium alone, with the camera it feigns',
}

/** Cases that are not the matter of single tests. */
const EVERYWHERE: Record<string, { title: string; file: string }> = {
  'WEB-02': {
    title: 'every browser test fails when a page reports a violation of its policy',
    file: 'tests/support/browser/fixtures.ts',
  },
}

interface Named {
  title: string
  file: string
}

const TEST_FILE = /\.(test|spec)\.tsx?$/
const ID = /\b[A-Z]{3}-\d\d\b/g
/** A title, or the start of one that is put together. */
const TITLE = /\b(?:it|test(?:WithWorker)?|describe)\b[^'"`\n]*\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g
/** Titles of tables, after their rows: `])('AUT-01: …', …`. */
const TITLE_OF_ROWS = /\)\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g
/** A row whose name becomes a title. */
const ROW = /(['"`])([A-Z]{3}-\d\d\b(?:(?!\1)[^\\\n]|\\.)*)\1/g

const ids = Object.entries(AREAS).flatMap(([area, { cases }]) =>
  Array.from({ length: cases }, (_, index) => `${area}-${String(index + 1).padStart(2, '0')}`),
)

function namedIn(file: string): [id: string, Named][] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const titles = [TITLE, TITLE_OF_ROWS, ROW].flatMap((kind) =>
    [...text.matchAll(kind)].map(([, , title]) => title!.replace(' @short', '')),
  )
  return titles.flatMap((title) => (title.match(ID) ?? []).map((id): [string, Named] => [id, { title, file }]))
}

function testsById(): Map<string, Named[]> {
  const files = ['tests', 'src', 'server', 'sw'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => TEST_FILE.test(file) && file !== OWN_FILE)
      .map((file) => `${folder}/${file}`),
  )
  const found = new Map<string, Named[]>()
  const all = [...files.toSorted().flatMap(namedIn), ...Object.entries(EVERYWHERE)]
  for (const [id, named] of all) found.set(id, [...(found.get(id) ?? []), named])
  return found
}

const tests = testsById()

it('every security case has a test that names it, or is said to have none', () => {
  const silent = ids.filter((id) => !tests.has(id) && !(id in UNRUN))
  const both = ids.filter((id) => tests.has(id) && id in UNRUN)
  const strangers = [...Object.keys(UNRUN), ...Object.keys(PARTLY)].filter((id) => !ids.includes(id))
  expect({ silent, both, strangers }).toEqual({ silent: [], both: [], strangers: [] })
})

it('the table of security cases is the one in docs; `npx vitest run --project unit tests/securityCases -u` writes it', async () => {
  const sections = Object.entries(AREAS).map(([area, { about }]) => sectionOf(area, about))
  await expect([HEAD, ...sections].join('\n')).toMatchFileSnapshot(DOCUMENT)
})

const HEAD = `# Security and fault cases

Written by \`tests/securityCases.test.ts\` from the titles of the tests; a build whose table is another one fails. A case is run by
every test that names it. What is not run is said so.
`

function sectionOf(area: string, about: string): string {
  const rows = ids.filter((id) => id.startsWith(area)).map(rowOf)
  return [`## ${about}`, '', '| Case | What is tested | Where |', '|---|---|---|', ...rows, ''].join('\n')
}

function rowOf(id: string): string {
  if (id in UNRUN) return `| ${id} | **Not run.** ${UNRUN[id]} | |`
  const named = tests.get(id)!
  const told = new Set(named.map(({ title }) => wordsOf(title)).filter((words) => words !== ''))
  const missing = PARTLY[id] === undefined ? '' : ` **In part:** ${PARTLY[id]}.`
  const files = [...new Set(named.map(({ file }) => `\`${file}\``))]
  return `| ${id} | ${[...told].join('; ') || 'every row of a table'}${missing} | ${files.join(', ')} |`
}

const LEADING_IDS = /^(?:(?:[A-Z]{3}-\d\d|offline \d+|and|to),?:? ?)+/
const PLACEHOLDER = /%[sji]|\$\{[^}]*\}/g

/** Without its ids and what would break a row. */
const wordsOf = (title: string) =>
  title.replace(LEADING_IDS, '').replaceAll(/\\(.)/g, '$1').replaceAll(PLACEHOLDER, '…').replaceAll('|', '\\|')
