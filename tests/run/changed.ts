import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runCommand } from './runCommand.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/**
 * `npm run test:changed [-- COMMIT]`: runs the tests that import files changed since COMMIT (else the last commit), and the browser
 * tests with the same name: a change in src/features/branches runs tests/e2e/branches/branches.spec.ts.
 */
async function main(): Promise<void> {
  const base = process.argv[2] ?? 'HEAD'
  const files = changedSince(base)
  const specs = specsOf(files)
  const vitest = ['vitest', 'run', '--project', 'unit', '--project', 'server', '--changed', base, '--passWithNoTests']
  const codes = [await runCommand(vitest as [string, ...string[]], { TEST_FORM: 'all' })]
  if (specs.length > 0) codes.push(await runCommand(['playwright', 'test', ...specs]))
  process.exitCode = codes.every((code) => code === 0) ? 0 : 1
}

/** Changed paths from the root, including files that git does not track yet. */
function changedSince(base: string): string[] {
  const git = (...args: string[]) => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' }).split('\n')
  return [...git('diff', '--name-only', base), ...git('ls-files', '--others', '--exclude-standard')].filter(Boolean)
}

/** Changed specs, and the specs whose folder or first word is the name of a changed part. */
function specsOf(files: string[]): string[] {
  const words = new Set(files.filter((file) => /^(src|sw|server)\//.test(file)).flatMap((file) => wordsOf(file)))
  const isOf = (spec: string) => {
    const [noun = '', name = ''] = spec.split('/')
    return files.includes(`tests/e2e/${spec}`) || words.has(noun) || words.has(name.split(/[-.]/)[0] ?? '')
  }
  return readdirSync(join(ROOT, 'tests/e2e'), { recursive: true, encoding: 'utf8' })
    .filter((spec) => spec.endsWith('.spec.ts'))
    .filter(isOf)
    .map((spec) => `tests/e2e/${spec}`)
}

const wordsOf = (file: string) => {
  const segments = file.replace(/\.\w+$/, '').split('/')
  return [...segments, ...segments.flatMap((segment) => segment.split(/[.-]/))].map((word) => word.toLowerCase())
}

await main()
