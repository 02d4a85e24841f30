import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readCounts, type Report } from './readCounts.ts'

const folder = mkdtempSync(join(tmpdir(), 'counts-'))
afterAll(() => rmSync(folder, { recursive: true }))

function report(kind: Report['kind'], content?: unknown): Report {
  const file = join(folder, `${crypto.randomUUID()}.json`)
  if (content) writeFileSync(file, JSON.stringify(content))
  return { kind, file }
}
const vitestReport = (passed: number, failed: number) =>
  report('vitest', { numPassedTests: passed, numFailedTests: failed, numPendingTests: 1, numTodoTests: 0 })

it('counts a check without a report as one', () => {
  expect(readCounts(0)).toEqual({ passed: 1, failed: 0, skipped: 0 })
  expect(readCounts(2)).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

it('reads what the runners report', () => {
  expect(readCounts(1, vitestReport(3, 2))).toEqual({ passed: 3, failed: 2, skipped: 1 })
  const stats = { expected: 5, unexpected: 1, flaky: 1, skipped: 0 }
  expect(readCounts(1, report('playwright', { stats }))).toEqual({
    passed: 6,
    failed: 1,
    skipped: 0,
    unsteady: 1,
  })
})

it('counts a runner that fails or runs nothing in silence as a failure', () => {
  expect(readCounts(1, vitestReport(3, 0))).toEqual({ passed: 3, failed: 1, skipped: 1 })
  expect(readCounts(0, vitestReport(0, 0))).toEqual({ passed: 0, failed: 1, skipped: 1 })
  expect(readCounts(0, report('vitest'))).toEqual({ passed: 0, failed: 1, skipped: 0 })
})

it('forgets a report once read', () => {
  const once = vitestReport(1, 0)
  readCounts(0, once)
  expect(existsSync(once.file)).toBe(false)
})
