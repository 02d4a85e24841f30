import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')
const OWN_FILE = 'tests/citations.test.ts'
const FOLDERS = ['src', 'server', 'sw', 'build', 'prerender', 'tests', 'docs']

interface Source {
  file: string
  text: string
}

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** Tracked text files that exist here. */
function tracked(...paths: string[]): Source[] {
  const listed = execFileSync('git', ['ls-files', '-z', '--', ...paths], { cwd: ROOT, encoding: 'utf8' })
  return listed
    .split('\0')
    .filter((file) => file !== '' && file !== OWN_FILE && existsSync(join(ROOT, file)))
    .map((file) => ({ file, text: read(file) }))
    .filter(({ text }) => !text.includes('\0'))
}

/** A citation may run over the end of a line: the line break and the comment sign after it become one space. */
const joined = (text: string) => text.replaceAll(/\s*\n[ \t]*(?:\*(?!\/)|\/\/|--|#)?[ \t]*/g, ' ')

const sources = tracked(...FOLDERS).map(({ file, text }) => ({ file, text: joined(text) }))

/** Returns the citations in the sources that `resolves` does not know. The first group of `citation` is one or several numbers. */
function dangling(citation: RegExp, number: RegExp, resolves: (number: string) => boolean): string[] {
  return sources.flatMap(({ file, text }) =>
    [...text.matchAll(citation)]
      .flatMap(([, numbers = '']) => numbers.match(number) ?? [])
      .filter((one) => !resolves(one))
      .map((one) => `${file}: ${one}`),
  )
}

/** The numbers that a document defines, by the first group of `entry`. */
const given = (document: string, entry: RegExp) => new Set([...read(document).matchAll(entry)].map(([, one]) => one))

const AND = '(?:, | and |, and |–)'
const several = (one: string) => `(${one}(?:${AND}${one})*)`

const withoutCode = (text: string) => text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '').replaceAll(/`[^`\n]*`/g, '')

it('nothing cites a paper that is not in the repository', () => {
  const papers =
    /\b(?:DESIGN|STYLE|PERFORMANCE|STACK|SPEC)(?:\.md\b| §)|\b[Ss]pec(?:'s)? \(?§|\bcases\/\w|\bcases,? [MR]?\d|\bR\d{1,2}\b(?=[);:,])|\bissues? #?\d+|\(§\d/g
  const found = sources.flatMap(({ file, text }) => [...text.matchAll(papers)].map(([cited]) => `${file}: ${cited}`))
  expect(found).toEqual([])
})

it('every rule that is cited is in docs/RULES.md', () => {
  const rules = given('docs/RULES.md', /^- \*\*(\d+\.\d+)\*\*/gm)
  const unknown = dangling(new RegExp(`\\b[Rr]ules? ${several(String.raw`\d+\.\d+`)}`, 'g'), /\d+\.\d+/g, (one) =>
    rules.has(one),
  )
  expect(unknown).toEqual([])
})

it('no number of docs/RULES.md is given twice, and each stands in its own section', () => {
  const text = read('docs/RULES.md')
  const numbers = [...text.matchAll(/^- \*\*(\d+\.\d+)\*\*/gm)].map(([, one = '']) => one)
  const strays = text
    .split(/^## /m)
    .slice(1)
    .flatMap((section) =>
      [...section.matchAll(/^- \*\*(\d+)\.(\d+)\*\*/gm)].map(([, in_, nth]) => ({ section, in_, nth })),
    )
    .filter(({ section, in_ }) => !section.startsWith(`${in_}. `))
    .map(({ in_, nth }) => `${in_}.${nth}`)
  expect({ twice: numbers.filter((one, at) => numbers.indexOf(one) !== at), strays }).toEqual({ twice: [], strays: [] })
})

it('every offline case that is cited is in docs/OFFLINE-CASES.md', () => {
  const cases = given('docs/OFFLINE-CASES.md', /^- \*\*offline (\d+)\*\*/gm)
  const unknown = dangling(new RegExp(`\\boffline ${several(String.raw`\d+\b`)}`, 'g'), /\d+/g, (one) => cases.has(one))
  expect(unknown).toEqual([])
})

it('every security case that is cited is in docs/SECURITY-CASES.md', () => {
  const cases = given('docs/SECURITY-CASES.md', /^- \*\*([A-Z]{3}-\d\d)\*\*/gm)
  const areas = [...new Set([...cases].map((one) => one?.slice(0, 3)))].join('|')
  const unknown = dangling(new RegExp(String.raw`\b((?:${areas})-\d+)\b`, 'g'), /\S+/g, (one) => cases.has(one))
  expect(unknown).toEqual([])
})

it('every decision that is cited is in docs/decisions', () => {
  const decisions = new Set(
    tracked('docs/decisions').map(({ file }) => file.slice('docs/decisions/'.length).slice(0, 4)),
  )
  const one = String.raw`\[?\d{1,4}\b(?:\]\([^)]*\))?`
  const unknown = dangling(new RegExp(`\\b[Dd]ecisions? ${several(one)}`, 'g'), /(?<![\w/(])\d{1,4}\b/g, (number) =>
    decisions.has(number),
  )
  expect(unknown).toEqual([])
})

it('every relative link of README, CONTRIBUTING and docs leads to a file and a heading that are there', () => {
  const documents = tracked('README.md', 'CONTRIBUTING.md', 'docs').filter(({ file }) => file.endsWith('.md'))
  const broken = documents.flatMap(({ file, text }) =>
    [...withoutCode(text).matchAll(/\]\(<?([^)\s>]+)>?(?: "[^"]*")?\)/g)]
      .map(([, target = '']) => target)
      .filter((target) => !/^[a-z][a-z\d+.-]*:/i.test(target) && !leadsSomewhere(file, target))
      .map((target) => `${file}: ${target}`),
  )
  expect(broken).toEqual([])
})

function leadsSomewhere(from: string, target: string): boolean {
  const [path = '', anchor] = target.split('#')
  const file = path === '' ? from : join(dirname(from), decodeURIComponent(path))
  if (!existsSync(join(ROOT, file))) return false
  return anchor === undefined || (file.endsWith('.md') && anchorsOf(read(file)).has(anchor))
}

/** The anchors that GitHub makes of headings: a second heading with the same words gets `-1`. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>()
  for (const [, heading = ''] of text.replaceAll(/^(```|~~~)[\s\S]*?^\1/gm, '').matchAll(/^#{1,6} +(.*?)\s*#*$/gm)) {
    const words = heading.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase()
    const anchor = words.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')
    let free = anchor
    for (let again = 1; anchors.has(free); again++) free = `${anchor}-${again}`
    anchors.add(free)
  }
  return anchors
}
