import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '..')

/** What docs/GLOSSARY.md has another word for, and pictures where a plain word says more. */
const OLD_WORDS: [old: RegExp, instead: string][] = [
  [/\be-mail/i, 'email'],
  [/\bsign(?:s|ed|ing)?[ -](?:in|out|off)\b/i, 'log in, log out, login'],
  [/\blog ?off\b|\blog-?in to continue\b/i, 'log in, log out'],
  [
    /\b(?:without a|over a|no|bad|lost|dead) line\b|\blines? (?:is|was|are|has|had|drops?|dropped|breaks|broke|goes)\b|\bis a line\b/i,
    'connection, online, offline',
  ],
  [/\b[Aa]cts?\b(?! of\b| \d)/, 'action, activity'],
  [/\b(?:of now|an own|the own)\b/i, 'current, their own'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix, correct'],
  [/\bwaits? for a word\b|\bneeds? a look\b|\bhas promised\b|\bhand this\b|\bwrong way round\b/i, 'plain words'],
  [/\bwas (?:not )?taken\b|\btaken offline\b|\btook (?:it|them|this)\b/i, 'redeemed'],
  [/\b(?:runs|running) full\b/i, 'runs out of space'],
  [/\b(?:cash register|the terminal)\b/i, 'till'],
  [/\bkept reads?\b|\bbones\b/i, 'cached read, skeleton'],
]

/** On a screen there is no other line than the one to the server; documents also have those of a log. */
const ON_SCREENS: typeof OLD_WORDS = [[/\b(?:the|a|this|your) line\b/i, 'connection, online, offline']]

/** Said by the server and stored by devices: data, not words for people. */
const DATA = new Set(['signed in', 'nothing taken'])

const COUNTER_FILES = ['src/features/redemptions/']

/** More words in one sentence are not read while a customer waits. */
const COUNTER_WORDS = 15

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8')

const tracked = (...paths: string[]): string[] =>
  execFileSync('git', ['ls-files', '-z', '--', ...paths], { cwd: ROOT, encoding: 'utf8' })
    .split('\0')
    .filter((file) => file !== '' && existsSync(join(ROOT, file)))

interface Text {
  at: string
  text: string
}

/** What the code may show or send: its strings, and the text between its tags. What a template fills in is `…`. */
function textsOf(file: string): Text[] {
  const source = read(file)
  const texts: Text[] = []
  const names = new Set<unknown>()
  const add = (start: number, raw: string) => {
    const text = raw.replaceAll(/\s+/g, ' ').trim()
    if (text.includes(' ') || /^[A-Z]/.test(text))
      texts.push({ at: `${file}:${source.slice(0, start).split('\n').length}`, text })
  }
  new Visitor({
    ImportDeclaration: ({ source: from }) => void names.add(from),
    ExportNamedDeclaration: ({ source: from }) => void names.add(from),
    JSXAttribute: ({ name, value }) => void (name.name === 'className' && names.add(value)),
    Literal: (node) => {
      if (typeof node.value === 'string' && !names.has(node)) add(node.start, node.value)
    },
    JSXText: ({ start, value }) => add(start, value),
    TemplateLiteral: ({ start, quasis }) => add(start, quasis.map(({ value }) => value.cooked ?? '').join('…')),
  }).visit(parseSync(file, source).program)
  return texts
}

const codeTexts = tracked('src', 'server', 'sw', 'prerender')
  .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|routeTree|^server\/db\//.test(file))
  .flatMap(textsOf)
  .filter(({ text }) => !DATA.has(text))

/** What stands there before any script has run. */
const pageTexts = read('index.html')
  .replaceAll(/<!--.*?-->|<(script|style)\b.*?<\/\1>|<[^>]*>/gs, '\n')
  .split('\n')
  .flatMap((text) => (text.trim() ? [{ at: 'index.html', text: text.trim() }] : []))

const withoutCode = (text: string) => text.replaceAll(/`[^`\n]*`/g, '').replaceAll(/\]\([^)]*\)/g, ']')

/** The glossary names the words it refuses, and the security cases quote the titles of tests. */
const documentTexts = tracked('README.md', 'CONTRIBUTING.md', 'docs/*.md')
  .filter((file) => !/GLOSSARY|SECURITY-CASES|decisions/.test(file))
  .flatMap((file) =>
    withoutCode(read(file))
      .split('\n')
      .map((text, index) => ({ at: `${file}:${index + 1}`, text })),
  )

const oldWordsIn = (texts: Text[], words = OLD_WORDS) =>
  texts.flatMap(({ at, text }) =>
    words.flatMap(([old, instead]) => {
      const [found] = old.exec(text) ?? []
      return found === undefined ? [] : [`${at}: "${found}" in "${text}": say ${instead}`]
    }),
  )

it('screens, emails and messages use the words of the glossary', () => {
  expect(codeTexts.length).toBeGreaterThan(2_000)
  expect(pageTexts.length).toBeGreaterThan(10)
  expect(oldWordsIn([...codeTexts, ...pageTexts], [...OLD_WORDS, ...ON_SCREENS])).toEqual([])
})

it('the documents use them too', () => {
  expect(documentTexts.length).toBeGreaterThan(500)
  expect(oldWordsIn(documentTexts)).toEqual([])
})

/** What is written in utilities: small letters, and most of its words have a hyphen, a colon or a bracket. */
function isLook(text: string): boolean {
  const words = text.split(' ').filter((word) => word !== '')
  return !/[A-Z]/.test(text) && words.filter((word) => /[-:[(]/.test(word)).length > words.length / 2
}

it('a sentence at the counter has fewer than 15 words', () => {
  // Not the path of a picture.
  const counter = codeTexts.filter(
    ({ at, text }) => COUNTER_FILES.some((file) => at.startsWith(file)) && /[a-z]{2}/.test(text) && !isLook(text),
  )
  const sentences = counter.flatMap(({ at, text }) =>
    text
      .split(/(?<=[.?!:])\s/)
      .map((sentence) => ({ at, sentence, words: sentence.split(' ').filter((word) => /\w|…/.test(word)).length })),
  )
  expect(sentences.length).toBeGreaterThan(200)
  expect(
    sentences.filter(({ words }) => words >= COUNTER_WORDS).map(({ at, sentence }) => `${at}: ${sentence}`),
  ).toEqual([])
})
