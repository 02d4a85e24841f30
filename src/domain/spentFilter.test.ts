import { describe, expect, it } from 'vitest'
import { addSpent, emptyFilter, mayBeSpent } from './spentFilter.ts'

const serial = (at: number) => `2${String(at).padStart(11, '0')}0`

describe('the filter of spent vouchers', () => {
  it('misses none that was put in, and takes few others for one of them', () => {
    const spent = Array.from({ length: 20_000 }, (_, at) => serial(at * 7))
    const filter = emptyFilter(spent.length)
    for (const one of spent) addSpent(filter, one)
    expect(spent.every((one) => mayBeSpent(filter, one))).toBe(true)
    const others = Array.from({ length: 20_000 }, (_, at) => serial(1_000_000 + at))
    expect(others.filter((one) => mayBeSpent(filter, one)).length).toBeLessThan(120)
  })
})
