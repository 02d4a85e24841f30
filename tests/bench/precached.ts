import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** The compressed bytes of everything a build's worker keeps. */
export function precachedBytes(directory: string): number {
  const worker = readFileSync(join(directory, 'sw.js'), 'utf8')
  const names = [...worker.matchAll(/"?\burl"?:\s*["'`]([\w./-]+\.\w+)["'`]/g)].map(([, name = '']) => name)
  if (names.length === 0) throw new Error('the worker keeps nothing')
  return names.reduce((sum, name) => sum + sizeOf(join(directory, name)), 0)
}

const sizeOf = (file: string) => statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size
