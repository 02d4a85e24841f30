import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { build } from './support/browser/builds.ts'

const SRC = resolve(import.meta.dirname, '../src')
/** Tailwind's marks of an element that another one's look depends on. */
const MARK = /^(group|peer)(\/|$)/

const release = mkdtempSync(join(tmpdir(), 'class-names-'))
beforeAll(() => build('1', release), 120_000)
afterAll(() => rmSync(release, { recursive: true }))

const filesOf = (folder: string, ...ends: string[]) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => ends.some((end) => file.endsWith(end)))
    .map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))

/** In a style sheet each character but letters, digits, - and _ has a backslash before it. */
function styledClasses(): Set<string> {
  const styles = filesOf(release, '.css', '.html').map(({ text }) => text)
  return new Set(
    [...styles.join('\n').matchAll(/\.((?:\\.|[\w-])+)/g)].map(([, name]) => name!.replaceAll(/\\(.)/g, '$1')),
  )
}

/** What stands in `className` as it is; what is put in there at run time is not looked at. */
const writtenClasses = (text: string) =>
  [...text.matchAll(/\w*[cC]lass(?:Name)?=(?:"([^"]*)"|\{`([^`]*)`\})/g)].flatMap(([, plain, template]) =>
    (plain ?? template!.replaceAll(/\S*\$\{[^}]*\}\S*/g, ' ')).split(/\s+/).filter((name) => name && !MARK.test(name)),
  )

it('a class that a component writes is one that a style sheet has', () => {
  const styled = styledClasses()
  const unknown = filesOf(SRC, '.tsx').flatMap(({ file, text }) =>
    writtenClasses(text)
      .filter((name) => !styled.has(name))
      .map((name) => `${file}: ${name}`),
  )
  expect(unknown).toEqual([])
})
