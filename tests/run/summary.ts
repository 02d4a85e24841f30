import type { Counts } from './readCounts.ts'

export interface CheckResult extends Counts {
  name: string
  seconds: number
  exitCode: number
}

const SLOWEST = 30

const total = (results: CheckResult[], key: 'passed' | 'failed' | 'skipped') =>
  results.reduce((sum, result) => sum + result[key], 0)

/** The slowest tests, the table of checks, what failed by name, and below it the line that tells how many passed and failed. */
export function summary(results: CheckResult[]): string {
  const width = Math.max(...results.map(({ name }) => name.length))
  const rows = results.map(({ name, seconds, passed, failed, skipped }) =>
    [name.padEnd(width), cell(passed, 7), cell(failed, 7), cell(skipped, 8), cell(`${seconds.toFixed(1)} s`, 9)].join(
      '',
    ),
  )
  const head = [''.padEnd(width), cell('passed', 7), cell('failed', 7), cell('skipped', 8), cell('time', 9)].join('')
  const skipped = total(results, 'skipped')
  const line = `${total(results, 'passed')} passed, ${total(results, 'failed')} failed`
  const tests = results.flatMap((result) => result.tests.map((test) => ({ ...test, check: result.name })))
  const slowest = tests
    .toSorted((a, b) => b.seconds - a.seconds)
    .slice(0, SLOWEST)
    .map(({ check, name, seconds }) => `${cell(seconds.toFixed(1), 6)} s  ${check}: ${name}`)
  const failures = tests.flatMap(({ check, name, failure }) =>
    failure === undefined ? [] : [`${check}: FAILED ${name}: ${failure}`],
  )
  const named = failures.length > 0 ? [...failures, ''] : []
  const counts = skipped > 0 ? `${line}, ${skipped} skipped` : line
  return ['', ...slowest, '', head, ...rows, '', ...named, counts].join('\n')
}

const cell = (value: string | number, width: number) => ` ${String(value).padStart(width)}`
