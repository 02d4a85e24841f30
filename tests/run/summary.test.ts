import { expect, it } from 'vitest'
import { summary } from './summary.ts'

const unit = { name: 'unit', seconds: 1.24, exitCode: 0, passed: 12, failed: 0, skipped: 0, tests: [] }

it('ends with the counts of all checks', () => {
  expect(summary([unit, { ...unit, name: 'browser', failed: 2 }])).toMatch(/\n24 passed, 2 failed$/)
})

it('names skipped tests only when there are some', () => {
  expect(summary([unit, { ...unit, skipped: 3 }])).toMatch(/\n24 passed, 0 failed, 3 skipped$/)
})

it('names what failed below the table, where the end of a long log shows it', () => {
  const tests = [{ name: 'is right', seconds: 1, failure: 'expected 1' }]
  expect(summary([{ ...unit, failed: 1, tests }])).toMatch(
    /\nunit: FAILED is right: expected 1\n\n12 passed, 1 failed$/,
  )
})

it('names the thirty slowest tests of all checks, the slowest first', () => {
  const tests = Array.from({ length: 40 }, (_, n) => ({ name: `test ${n}`, seconds: n }))
  const lines = summary([{ ...unit, tests }]).match(/^ .* s {2}unit: .*$/gm)
  expect(lines).toHaveLength(30)
  expect(lines?.[0]).toBe('   39.0 s  unit: test 39')
})
