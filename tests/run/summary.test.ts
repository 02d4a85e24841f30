import { expect, it } from 'vitest'
import { summary } from './summary.ts'

const unit = { name: 'unit', seconds: 1.24, exitCode: 0, passed: 12, failed: 0, skipped: 0 }

it('ends with the counts of all checks', () => {
  expect(summary([unit, { ...unit, name: 'browser', failed: 2 }])).toMatch(/\n24 passed, 2 failed$/)
})

it('names skipped tests only when there are some', () => {
  expect(summary([unit, { ...unit, skipped: 3 }])).toMatch(/\n24 passed, 0 failed, 3 skipped$/)
})

it('says aloud what passed only on a second try, above the counts', () => {
  expect(summary([{ ...unit, unsteady: 1 }])).toMatch(/UNSTEADY: 1 passed only .*\n\n12 passed, 0 failed$/)
})

it('names every stumble below the table, where the end of a long log still shows it', () => {
  expect(summary([{ ...unit, failed: 1, stumbles: ['FAILED is right: expected 1'] }])).toMatch(
    /\nunit: FAILED is right: expected 1\n\n12 passed, 1 failed$/,
  )
})
