import { expect, it } from 'vitest'
import type { DeviceRow } from '../../contract/devices/devices.ts'
import { deviceConcerns } from './deviceConcerns.ts'

const NOW = Date.parse('2026-11-27T04:00:00Z')
const MINUTE = 60_000

const heard = (given: Partial<NonNullable<DeviceRow['report']>> = {}, minutesAgo = 1) => ({
  report: {
    heard_at: new Date(NOW - minutesAgo * MINUTE).toISOString(),
    clock_offset_ms: 0,
    build: 'b1',
    update_waits: false,
    browser: 'Chrome on Android',
    persistent: true,
    waiting: { count: 0, cents: 0, oldest_at: null },
    refused: 0,
    user: null,
    connection: null,
    ...given,
  },
})

const waiting = { count: 2, cents: 3_000, oldest_at: null }

it('is nothing for a till that is well, however long it was not heard of', () => {
  expect(deviceConcerns(heard(), NOW)).toEqual([])
  expect(deviceConcerns(heard({}, 10_000), NOW)).toEqual([])
})

it('is silence after an hour, where vouchers wait', () => {
  expect(deviceConcerns(heard({ waiting }, 59), NOW)).toEqual([{ is: 'waiting', count: 2 }])
  expect(deviceConcerns(heard({ waiting }, 60), NOW)[0]).toEqual({
    is: 'silent',
    silent_ms: 60 * MINUTE,
    count: 2,
    cents: 3_000,
  })
})

it('is a browser that may delete what is stored, only where something is', () => {
  expect(deviceConcerns(heard({ persistent: false }), NOW)).toEqual([])
  expect(deviceConcerns(heard({ persistent: null, waiting }), NOW)).not.toContainEqual({ is: 'storage' })
  expect(deviceConcerns(heard({ persistent: false, waiting }), NOW)).toContainEqual({ is: 'storage' })
})

it('is all of it, the worst first', () => {
  const all = { waiting, refused: 1, persistent: false, clock_offset_ms: -5 * MINUTE, update_waits: true }
  expect(deviceConcerns(heard(all, 90), NOW).map(({ is }) => is)).toEqual([
    'silent',
    'refused',
    'storage',
    'clock',
    'update',
  ])
})

it('is what it held and nobody settled, before all else, of whatever till', () => {
  const unsettled = { count: 3, cents: 3_000 }
  expect(deviceConcerns({ ...heard({ waiting }, 90), unsettled }, NOW).map(({ is }) => is)).toEqual([
    'unsettled',
    'silent',
  ])
  const revoked = { revoked_at: '2026-11-27T01:00:00Z', unsettled }
  expect(deviceConcerns({ report: null, ...revoked }, NOW)).toEqual([{ is: 'unsettled', ...unsettled }])
  expect(deviceConcerns({ ...heard(), unsettled: { count: 0, cents: 0 } }, NOW)).toEqual([])
})

it('is its late uploads, until they are reviewed', () => {
  const revoked = { revoked_at: '2026-11-27T01:00:00Z', late: { count: 2, cents: 3_000, newest_at: null } }
  expect(deviceConcerns({ ...heard({ refused: 1 }), ...revoked }, NOW)).toEqual([
    { is: 'refused', count: 1 },
    { is: 'late', count: 2, cents: 3_000 },
  ])
  expect(deviceConcerns({ report: null, ...revoked }, NOW)).toEqual([{ is: 'late', count: 2, cents: 3_000 }])
  expect(deviceConcerns({ ...heard(), ...revoked, late: { count: 0, cents: 0, newest_at: null } }, NOW)).toEqual([])
})

it('is that a till has not reported yet', () => {
  expect(deviceConcerns({ report: null }, NOW)).toEqual([{ is: 'not reported' }])
})

it('is a till that nobody has enrolled, last', () => {
  expect(deviceConcerns({ ...heard({ update_waits: true }), enrolled_at: null }, NOW)).toEqual([
    { is: 'update' },
    { is: 'not enrolled' },
  ])
  expect(deviceConcerns(heard(), NOW)).toEqual([])
})

it('of a revoked till is its money, and the removal that it was asked for, and no more', () => {
  const at = new Date(NOW).toISOString()
  const revoked = { enrolled_at: null, revoked_at: at, removal_requested_at: at, removed_at: null }
  const report = heard({ waiting, update_waits: true, clock_offset_ms: 10 * MINUTE })
  expect(deviceConcerns({ ...report, ...revoked }, NOW)).toEqual([{ is: 'waiting', count: 2 }, { is: 'removing' }])
  expect(deviceConcerns({ ...heard(), ...revoked, removed_at: at }, NOW)).toEqual([])
  expect(deviceConcerns({ report: null, ...revoked, removal_requested_at: null }, NOW)).toEqual([])
})
