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
  expect(readCounts(0)).toEqual({ passed: 1, failed: 0, skipped: 0, tests: [] })
  expect(readCounts(2)).toEqual({ passed: 0, failed: 1, skipped: 0, tests: [] })
})

it('reads what the runners report', () => {
  expect(readCounts(1, vitestReport(3, 2))).toMatchObject({ passed: 3, failed: 2, skipped: 1 })
  const stats = { expected: 5, unexpected: 1, skipped: 0 }
  expect(readCounts(1, report('playwright', { stats }))).toMatchObject({ passed: 5, failed: 1, skipped: 0 })
})

it('names every test with its time, and the first words of why it failed', () => {
  const counts = { numPassedTests: 1, numFailedTests: 1, numPendingTests: 0, numTodoTests: 0 }
  const failed = {
    fullName: 'is right',
    status: 'failed',
    duration: 1_500,
    failureMessages: ['\u001b[31mexpected 1\n  to be 2\u001b[39m'],
  }
  const passed = { fullName: 'is fine', status: 'passed', duration: 20 }
  const testResults = [
    { name: 'a.test.ts', status: 'failed', message: '', assertionResults: [failed, passed] },
    { name: 'b.test.ts', status: 'failed', message: 'cannot be loaded', assertionResults: [] },
  ]
  expect(readCounts(1, report('vitest', { ...counts, testResults })).tests).toEqual([
    { name: 'is right', seconds: 1.5, failure: 'expected 1 to be 2' },
    { name: 'is fine', seconds: 0.02 },
    { name: 'b.test.ts', seconds: 0, failure: 'cannot be loaded' },
  ])
  const spec = { title: 'goes on', file: 'a.spec.ts', line: 7 }
  const results = [{ error: { message: 'too late' }, duration: 2_000 }]
  const suites = [{ suites: [{ specs: [{ ...spec, tests: [{ status: 'unexpected', results }] }] }] }]
  const stats = { expected: 5, unexpected: 1, skipped: 0 }
  expect(readCounts(1, report('playwright', { stats, suites })).tests).toEqual([
    { name: 'a.spec.ts:7 goes on', seconds: 2, failure: 'too late' },
  ])
})

it('counts a runner that fails or runs nothing in silence as a failure', () => {
  expect(readCounts(1, vitestReport(3, 0))).toMatchObject({ passed: 3, failed: 1, skipped: 1 })
  expect(readCounts(0, vitestReport(0, 0))).toMatchObject({ passed: 0, failed: 1, skipped: 1 })
  expect(readCounts(0, report('vitest'))).toMatchObject({ passed: 0, failed: 1, skipped: 0 })
})

it('forgets a report once read', () => {
  const once = vitestReport(1, 0)
  readCounts(0, once)
  expect(existsSync(once.file)).toBe(false)
})
