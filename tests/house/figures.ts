import { circles, refusedArrows } from './arrows.ts'
import type { SourceFile } from './graph.ts'

export interface Figure {
  what: string
  value: number
  /** The limit; without one the figure is only counted. */
  most?: number
  /** The places to look at when the figure is over its limit. */
  worst: string[]
}

/**
 * Counts from the tree and its imports. A figure over `most` fails the check. The length and number of files have no limit: the right
 * size depends on what is read together.
 */
export function figuresOf(files: readonly SourceFile[]): Figure[] {
  const refused = refusedArrows(files)
  const found = circles(files)
  return [
    { what: 'files', value: files.length, worst: [] },
    { what: 'lines', value: files.reduce((sum, { lines }) => sum + lines, 0), worst: [] },
    { what: 'names that differ only in case', value: twins(files).length, most: 0, worst: twins(files) },
    { what: 'circles of imports', value: found.length, most: 0, worst: found.map((way) => way.join(' → ')) },
    { what: 'imports against the arrows', value: refused.length, most: 0, worst: refused },
  ]
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
