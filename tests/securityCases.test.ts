import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
/** Names cases that have no test. */
const OWN_FILE = 'securityCases.test.ts'

/** Cases that are not the matter of single tests. */
const EVERYWHERE: [id: string, file: string][] = [['WEB-02', 'tests/support/browser/fixtures.ts']]

const TEST_FILE = /\.(test|spec)\.tsx?$/
const ID = /\b(?:AUT|SES|ACL|VCH|TBL|RPT|UPL|WEB|SGN|FLT)-\d\d\b/g
/** A title, or the start of one that is put together. */
const TITLE = /\b(?:it|test(?:WithWorker)?|describe)\b[^'"`\n]*\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g
/** Titles of tables, after their rows: `])('AUT-01: …', …`. */
const TITLE_OF_ROWS = /\)\(\s*(['"`])((?:(?!\1)[^\\\n]|\\.)*)\1/g
/** A row whose name becomes a title. */
const ROW = /(['"`])([A-Z]{3}-\d\d\b(?:(?!\1)[^\\\n]|\\.)*)\1/g

function namedIn(file: string): [id: string, file: string][] {
  const text = readFileSync(join(ROOT, file), 'utf8')
  const titles = [TITLE, TITLE_OF_ROWS, ROW].flatMap((kind) => [...text.matchAll(kind)].map(([, , title]) => title!))
  return titles.flatMap((title) => title.match(ID) ?? []).map((id) => [id, file])
}

/** As the document writes them: the case, and the files of its tests. */
function casesOfTests(): string[] {
  const files = ['tests', 'src', 'server', 'sw'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => TEST_FILE.test(file) && file !== OWN_FILE)
      .map((file) => `${folder}/${file}`),
  )
  const found = new Map<string, Set<string>>()
  for (const [id, file] of [...files.toSorted().flatMap(namedIn), ...EVERYWHERE]) {
    found.set(id, (found.get(id) ?? new Set()).add(`\`${basename(file)}\``))
  }
  return [...found].map(([id, names]) => `${id} (${[...names].join(', ')})`)
}

it('docs/SECURITY-CASES.md has every case that a test names, with the files of its tests, and no other', () => {
  const document = readFileSync(join(ROOT, 'docs/SECURITY-CASES.md'), 'utf8')
  const told = [...document.matchAll(/^- \*\*(\S+)\*\* .* (\(.*\))$/gm)].map(([, id, files]) => `${id} ${files}`)
  expect(told.length).toBeGreaterThan(100)
  expect(told.toSorted()).toEqual(casesOfTests().toSorted())
})
