import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

/** The hashes by which a CSP lets the scripts and styles in a page itself count. */
export interface InlineSources {
  scripts: readonly string[]
  styles: readonly string[]
}

export const NOTHING_INLINE: InlineSources = { scripts: [], styles: [] }

const known = new Map<string, { tag: string; sources: InlineSources }>()

/** Of a page of the build, which is trusted as its scripts are. `tag` changes with the file. */
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
