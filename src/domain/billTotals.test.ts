import { describe, expect, it } from 'vitest'
import { billTotals } from './vouchers.ts'

describe('a bill and its vouchers', () => {
  it('leaves the rest to collect', () => {
    expect(billTotals(3_250, [1_000, 1_000])).toEqual({ vouchers: 2_000, toCollect: 1_250, forfeited: 0 })
  })

  it('forfeits what the vouchers are worth beyond it', () => {
    expect(billTotals(1_700, [1_000, 1_000])).toEqual({ vouchers: 2_000, toCollect: 0, forfeited: 300 })
  })

  it('without an amount only adds up', () => {
    expect(billTotals(null, [500])).toEqual({ vouchers: 500, toCollect: undefined, forfeited: 0 })
  })
})
