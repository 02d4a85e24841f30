import { describe, expect, it } from 'vitest'
import { billTotals, takenOff } from './vouchers.ts'

describe('a bill and its vouchers', () => {
  it('leaves the rest to collect', () => {
    expect(billTotals(3_250, [1_000, 1_000])).toEqual({ vouchers: 2_000, toCollect: 1_250, forfeited: 0 })
  })

  it('forfeits what the vouchers are worth beyond it', () => {
    expect(billTotals(1_700, [1_000, 1_000])).toEqual({ vouchers: 2_000, toCollect: 0, forfeited: 300 })
  })

  it('takes no more off than is left to pay: the rest of the voucher is lost', () => {
    expect(takenOff(3_250, 5_000)).toEqual({ off: 3_250, lost: 1_750 })
    expect(takenOff(0, 5_000)).toEqual({ off: 0, lost: 5_000 })
    expect(takenOff(5_000, 5_000)).toEqual({ off: 5_000, lost: 0 })
    expect(takenOff(undefined, 5_000)).toEqual({ off: 5_000, lost: 0 })
  })

  it('without an amount only adds up', () => {
    expect(billTotals(null, [500])).toEqual({ vouchers: 500, toCollect: undefined, forfeited: 0 })
  })
})
