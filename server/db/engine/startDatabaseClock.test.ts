import { afterEach, beforeEach, expect, it } from 'vitest'
import { recordedLog, type RecordedLog } from '../../../tests/support/server/silentLog.ts'
import { DatabaseUnavailable } from './databaseError.ts'
import { startDatabaseClock, type DatabaseClock } from './startDatabaseClock.ts'

const NOON = Date.parse('2026-11-22T04:00:00.000Z')

/** Milliseconds since the process began, and how far the database is ahead of them; a query takes `answerMs`. */
let passed: number
let ahead: number
let answerMs: number
let isAway: boolean
let log: RecordedLog
let clock: DatabaseClock

const run = async () => {
  if (isAway) throw new DatabaseUnavailable('query')
  passed += answerMs / 2
  const ms = passed + ahead
  passed += answerMs / 2
  return [{ ms }] as never
}

beforeEach(async () => {
  passed = 500
  ahead = NOON - passed
  answerMs = 0
  isAway = false
  log = recordedLog()
  clock = await start(0)
})
afterEach(() => clock.stop())

const start = (machineAhead: number) =>
  startDatabaseClock(
    { run },
    log,
    () => passed,
    () => passed + ahead + machineAhead,
  )

it.each([90, -90])('says at the start that this machine is %i seconds ahead', async (seconds) => {
  ;(await start(seconds * 1_000)).stop()
  expect(log.events).toEqual([{ level: 'warn', event: 'clock_apart', facts: { ahead_seconds: seconds } }])
})

const offBy = () => clock.now().getTime() - (passed + ahead)

it('FLT-14: tells the time of the database, and goes on with the time that passes, not with the clock of its machine', () => {
  expect(clock.now()).toEqual(new Date(NOON))
  passed += 3_600_000
  expect(clock.now()).toEqual(new Date(NOON + 3_600_000))
})

it('takes a question that lasts for no difference', async () => {
  answerMs = 800
  await clock.compare()
  expect(offBy()).toBe(0)
  expect(log.events).toEqual([])
})

it.each([3_600, -3_600])('follows a database that is %i seconds away, and says so', async (seconds) => {
  ahead += seconds * 1_000
  await clock.compare()
  expect(Math.abs(offBy())).toBeLessThanOrEqual(100)
  expect(log.events).toEqual([{ level: 'warn', event: 'clock_stepped', facts: { seconds } }])
})

it('does not tremble with a busy machine', async () => {
  const before = clock.now()
  ahead += 90
  await clock.compare()
  expect(clock.now()).toEqual(before)
})

it('goes on while the database is away', async () => {
  isAway = true
  await expect(clock.compare()).rejects.toThrow(DatabaseUnavailable)
  passed += 60_000
  expect(offBy()).toBe(0)
})
