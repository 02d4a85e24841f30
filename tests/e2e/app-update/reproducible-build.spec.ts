import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build, buildDirectory } from '../../support/browser/builds.ts'
import { expect, test } from '../../support/browser/fixtures.ts'

/** The checksum of every file below `folder`, by its path. */
function sumsOf(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  )
  const sumOf = (path: string) =>
    createHash('sha256')
      .update(readFileSync(join(folder, path)))
      .digest('hex')
  return Object.fromEntries(paths.toSorted().map((path) => [path, sumOf(path)]))
}

test('WEB-12: the same sources built a second time are the same files, byte for byte', async () => {
  test.setTimeout(180_000)
  const again = mkdtempSync(join(tmpdir(), 'build-'))
  try {
    await build('1', again)
    const [first, second] = [sumsOf(buildDirectory('1')), sumsOf(again)]
    expect(Object.keys(first)).toContain('sw.js')
    expect(second).toEqual(first)
  } finally {
    rmSync(again, { recursive: true, force: true })
  }
})
