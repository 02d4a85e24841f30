import type { Counts } from './readCounts.ts'

export interface CheckResult extends Counts {
  name: string
  seconds: number
  exitCode: number
}

const total = (results: CheckResult[], key: 'passed' | 'failed' | 'skipped' | 'unsteady') =>
  results.reduce((sum, result) => sum + (result[key] ?? 0), 0)

/** The table of checks, and below it the line that tells how many passed and failed. */
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
  const unsteady = total(results, 'unsteady')
  const warning = unsteady > 0 ? [`UNSTEADY: ${unsteady} passed only on a second try (named above).`, ''] : []
  const stumbles = results.flatMap(({ name, stumbles = [] }) => stumbles.map((stumble) => `${name}: ${stumble}`))
  const named = stumbles.length > 0 ? [...stumbles, ''] : []
  return ['', head, ...rows, '', ...named, ...warning, skipped > 0 ? `${line}, ${skipped} skipped` : line].join('\n')
}

const cell = (value: string | number, width: number) => ` ${String(value).padStart(width)}`
