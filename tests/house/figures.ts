import { posix } from 'node:path'
import { circles, refusedArrows } from './arrows.ts'
import type { SourceFile } from './graph.ts'

/** Texts, schemas and icons read from top to bottom: long, and simple. */
const DATA = /\/(legal|schema)\/|iconPaths/

export interface Figure {
  what: string
  value: number
  most: number
  /** What to look at when it is too much. */
  worst: string[]
}

/** Plain counts from the tree and its imports. A figure over `most` fails the check. */
export function figuresOf(files: readonly SourceFile[]): Figure[] {
  const lines = files.map((file) => file.lines).sort((a, b) => a - b)
  const scraps = files.filter((file) => isScrap(file, files))
  const folders = siblings(files)
  const long = files.filter((file) => file.lines > 350 && !DATA.test(file.path))
  const [widest = ['', 0] as const] = folders
  const refused = refusedArrows(files)
  const found = circles(files)
  const longestFirst = files.toSorted((a, b) => b.lines - a.lines).map(({ path, lines: n }) => `${path} ${n}`)
  return [
    // The aim of the house. A new file needs another that is read with it.
    { what: 'files', value: files.length, most: 900, worst: [] },
    { what: 'lines, median of a file', value: at(lines, 0.5), most: 80, worst: [] },
    { what: 'lines, nine of ten files', value: at(lines, 0.9), most: 180, worst: longestFirst.slice(0, 5) },
    {
      what: 'files over 350 lines that are not data',
      value: long.length,
      most: 0,
      worst: long.map(({ path }) => path),
    },
    {
      what: 'percent of files with one importer and 40 lines or less',
      value: Math.round((scraps.length / files.length) * 1_000) / 10,
      most: 10,
      worst: scraps.map(({ path }) => path),
    },
    {
      what: 'entries in the fullest folder',
      value: widest[1],
      most: 25,
      worst: folders.filter(([, n]) => n > 25).map(([folder, n]) => `${folder} ${n}`),
    },
    { what: 'names that differ only in case', value: twins(files).length, most: 0, worst: twins(files) },
    { what: 'circles of imports', value: found.length, most: 0, worst: found.map((way) => way.join(' → ')) },
    { what: 'imports against the arrows', value: refused.length, most: 0, worst: refused },
  ]
}

const at = (sorted: readonly number[], share: number) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0

/** Entry points and lazy parts have no static importer; they are files for that reason. */
function isScrap(file: SourceFile, files: readonly SourceFile[]): boolean {
  if (file.lines > 40 || file.path.endsWith('.css') || file.path.startsWith('src/routes/')) return false
  const importers = files.filter(({ imports }) => imports.some(({ to }) => to === file.path))
  const [only] = importers
  return importers.length === 1 && !only?.imports.some(({ to, kind }) => to === file.path && kind === 'lazy')
}

/** Folders with their number of entries, the fullest first. */
function siblings(files: readonly SourceFile[]): [string, number][] {
  const folders = new Map<string, Set<string>>()
  for (const { path } of files) {
    for (let child = path; child.includes('/'); child = posix.dirname(child)) {
      const folder = posix.dirname(child)
      folders.set(folder, (folders.get(folder) ?? new Set()).add(child))
    }
  }
  return [...folders].map(([folder, names]): [string, number] => [folder, names.size]).sort((a, b) => b[1] - a[1])
}

function twins(files: readonly SourceFile[]): string[] {
  const seen = new Map<string, string>()
  return files.flatMap(({ path }) => {
    const key = path.toLowerCase()
    const other = seen.get(key)
    seen.set(key, path)
    return other ? [`${other}, ${path}`] : []
  })
}
