import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** The hashes by which a CSP allows the scripts and styles that stand in a page itself. */
export interface InlineSources {
  scripts: readonly string[]
  styles: readonly string[]
}

export const NOTHING_INLINE: InlineSources = { scripts: [], styles: [] }

const known = new Map<string, { tag: string; sources: InlineSources }>()

/** Those of a page of the build. They are kept as long as `tag` is the same, which changes with the file. */
export async function inlineSources(file: string, tag: string): Promise<InlineSources> {
  const found = known.get(file)
  if (found?.tag === tag) return found.sources
  const page = await readFile(file, 'utf8')
  const sources = { scripts: hashesOf(page, 'script'), styles: hashesOf(page, 'style') }
  known.set(file, { tag, sources })
  return sources
}

const hashesOf = (page: string, element: 'script' | 'style') =>
  [...page.matchAll(new RegExp(`<${element}>([^]*?)</${element}>`, 'g'))].map(
    ([, text]) => `'sha256-${createHash('sha256').update(text!).digest('base64')}'`,
  )
