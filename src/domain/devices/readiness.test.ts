import { describe, expect, it } from 'vitest'
import { readinessProblems, type DeviceFacts } from './readiness.ts'

const NOW = Date.parse('2026-11-22T04:00:00Z')
const HOUR = 3_600_000

const READY: DeviceFacts = {
  now: NOW,
  shellKept: true,
  storage: 'open',
  lists: [{ name: 'Branches', asOf: NOW - HOUR }],
  persistent: true,
  unsent: 0,
  clockOffMs: 1_500,
  cameraDenied: false,
  updateWaits: false,
}
const lacking = (facts: Partial<DeviceFacts>) => readinessProblems({ ...READY, ...facts })

describe('a device', () => {
  it('is ready when nothing is missing', () => {
    expect(readinessProblems(READY)).toEqual([])
  })

  it.each([
    [{ shellKept: false }, { is: 'shell' }],
    [{ storage: 'full' }, { is: 'full' }],
    [{ persistent: false, unsent: 1 }, { is: 'persistence' }],
    [{ cameraDenied: true }, { is: 'camera' }],
    [{ updateWaits: true }, { is: 'update' }],
    [{ clockOffMs: -7 * 60_000 }, { is: 'clock', offMs: -7 * 60_000 }],
  ] as const)('with %o lacks %o and nothing else', (facts, lack) => {
    expect(lacking(facts)).toEqual([lack])
  })

  it('is ready with lists of up to a day, and names older ones and those it never had', () => {
    const at = (hours: number) => ({ name: `${hours} hours`, asOf: NOW - hours * HOUR })
    expect(lacking({ lists: [at(24)] })).toEqual([])
    expect(lacking({ lists: [at(25), at(1), at(49), { name: 'Branches', asOf: undefined }] })).toEqual([
      { is: 'lists missing', names: ['Branches'] },
      { is: 'lists old', names: ['25 hours', '49 hours'], ageMs: 49 * HOUR },
    ])
  })

  it('takes a clock that is off by two minutes for a slow answer, and not one second more', () => {
    expect(lacking({ clockOffMs: 120_000 })).toEqual([])
    expect(lacking({ clockOffMs: 121_000 })).toHaveLength(1)
  })

  it('that waits with no voucher is not blamed for a browser that makes no promise', () => {
    expect(lacking({ persistent: false })).toEqual([])
  })

  it('that keeps nothing is not blamed for what it would keep', () => {
    const nothing = {
      storage: 'nothing',
      persistent: false,
      unsent: 1,
      lists: [{ name: 'Branches', asOf: undefined }],
    } as const
    expect(lacking(nothing)).toEqual([{ is: 'storage' }])
  })

  it('names the worst first', () => {
    const all = lacking({
      updateWaits: true,
      persistent: false,
      unsent: 1,
      clockOffMs: HOUR,
      shellKept: false,
      cameraDenied: true,
    })
    expect(all.map(({ is }) => is)).toEqual(['shell', 'clock', 'camera', 'persistence', 'update'])
  })
})
