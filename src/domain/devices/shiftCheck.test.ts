import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { scanProblem } from '../vouchers.ts'
import {
  AUTOMATIC_CHECKS,
  automaticOutcomes,
  failed,
  failedChecks,
  NOT_HERE,
  PASSED,
  ShiftCheck,
  TEST_CODE,
  type ShiftFacts,
  type ShiftOutcomes,
} from './shiftCheck.ts'

const GOOD: ShiftFacts = {
  lacks: [],
  connection: { verdict: 'online', captive: false },
  unsent: { count: 0, cents: 0 },
  update: 'current',
}
const found = (facts: Partial<ShiftFacts>) => automaticOutcomes({ ...GOOD, ...facts })
const OFFLINE = { verdict: 'offline', captive: false } as const
const ALL_GOOD: ShiftOutcomes = { ...found({}), camera: PASSED, sound: PASSED, printer: NOT_HERE, scanner: PASSED }

describe('what the device finds out by itself', () => {
  it('is all good when nothing is wrong, on a slow connection too', () => {
    const all = Object.fromEntries(AUTOMATIC_CHECKS.map((name) => [name, PASSED]))
    expect(found({})).toEqual(all)
    expect(found({ connection: { verdict: 'slow', captive: false } })).toEqual(all)
  })

  it.each([
    ['storage', { is: 'storage' }],
    ['storage', { is: 'full' }],
    ['storage', { is: 'shell' }],
    ['lists', { is: 'lists missing', names: ['Branches'] }],
    ['lists', { is: 'lists old', names: ['Branches'], ageMs: 90_000_000 }],
    ['clock', { is: 'clock', offMs: 600_000 }],
    ['update', { is: 'update' }],
  ] as const)('fails at %s with %o', (name, lack) => {
    expect(found({ lacks: [lack] })[name]).toEqual(failed(lack))
  })

  it('names the worst of the storage, and leaves the lists alone while nothing is stored', () => {
    const { storage, lists } = found({ lacks: [{ is: 'storage' }, { is: 'shell' }] })
    expect(storage).toEqual(failed({ is: 'storage' }))
    expect(lists).toEqual({ is: 'skipped', why: 'storage' })
  })

  it('asks for protected data only while vouchers wait, as the header does', () => {
    const lacks = [{ is: 'persistence' }] as const
    expect(found({ lacks }).storage).toEqual(PASSED)
    const { storage, uploads } = found({ lacks, unsent: { count: 2, cents: 2_000 } })
    expect(storage).toEqual(failed({ is: 'persistence' }))
    expect(uploads).toEqual(failed({ is: 'uploads', count: 2, cents: 2_000 }))
  })

  it('without a connection fails at that alone, and skips the look for an update', () => {
    const offline = found({ connection: OFFLINE, update: 'unreachable' })
    expect(offline.connection).toEqual(failed({ is: 'connection', ...OFFLINE }))
    expect(offline.update).toEqual({ is: 'skipped', why: 'connection' })
  })

  it('fails at an update that could not be looked for while online, and at one that waits while offline', () => {
    expect(found({ update: 'unreachable' }).update).toEqual(failed({ is: 'update unknown' }))
    expect(found({ update: 'available', connection: OFFLINE }).update).toEqual(failed({ is: 'update' }))
  })
})

describe('a whole check', () => {
  it('is good with what a till does not have, and names every failure in the order of the checks', () => {
    expect(failedChecks(ALL_GOOD)).toEqual([])
    const bad = { ...ALL_GOOD, scanner: failed({ is: 'not scanned' }), clock: failed({ is: 'clock', offMs: 600_000 }) }
    expect(failedChecks(bad).map(({ name }) => name)).toEqual(['clock', 'scanner'])
  })

  it('is read back as it was stored, and counts as none with a check too few or a reason that nobody knows', () => {
    const whole = {
      at: 1,
      by: 'till-2',
      outcomes: { ...ALL_GOOD, camera: failed({ is: 'camera failed', failure: 'busy' }) },
    }
    expect(v.parse(ShiftCheck, JSON.parse(JSON.stringify(whole)))).toEqual(whole)
    const { camera: _, ...fewer } = ALL_GOOD
    expect(v.is(ShiftCheck, { ...whole, outcomes: fewer })).toBe(false)
    const unknown = { is: 'failed', why: { is: 'moon' } }
    expect(v.is(ShiftCheck, { ...whole, outcomes: { ...ALL_GOOD, sound: unknown } })).toBe(false)
  })
})

it('the code that a scanner is tried with is read well, and is no voucher', () => {
  expect(scanProblem(TEST_CODE)).toBe('product')
})
