import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '../..')

interface Import {
  /** Path from the repository's root, or the name of a package. */
  to: string
  /** `type` is erased at run time, `lazy` is loaded on demand. */
  kind: 'value' | 'type' | 'lazy'
}

export interface SourceFile {
  path: string
  lines: number
  imports: Import[]
}

/** All production code: files that are built or run, without tests and generated files. */
export function productionFiles(): SourceFile[] {
  return trackedFiles()
    .filter((path) => /^(src|server|sw|build|prerender)\/.*\.(tsx?|css)$/.test(path))
    .filter((path) => !/\.test\.tsx?$|\.d\.ts$|^src\/routeTree\.gen\.ts$/.test(path))
    .map(readSource)
}

/** Existing files that git tracks or would track. */
function trackedFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
  return listed.split('\n').filter((path) => path !== '' && existsSync(join(ROOT, path)))
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8')
  return { path, lines: text.split('\n').length - 1, imports: path.endsWith('.css') ? [] : importsOf(path, text) }
}

/** Parses imports by pattern: Prettier writes every import in one of these forms. */
function importsOf(path: string, text: string): Import[] {
  const found: Import[] = []
  const add = (kind: Import['kind'], specifier = '') => found.push({ to: resolved(path, specifier), kind })
  for (const [, type, specifier] of text.matchAll(/^(?:import|export)( type)?\s[^'"()]*?from '([^']+)'/gm))
    add(type ? 'type' : 'value', specifier)
  for (const [, specifier] of text.matchAll(/^import '([^']+)'/gm)) add('value', specifier)
  for (const [, specifier] of text.matchAll(/\bimport\(\s*(?:\/\*.*?\*\/\s*)?'([^']+)'/g)) add('lazy', specifier)
  return found
}

const resolved = (path: string, specifier: string) =>
  specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier.replace(/\?.*$/, '')) : specifier
