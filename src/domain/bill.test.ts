import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { takenOff, vouchersForBill } from './bill.ts'

describe('a bill and its vouchers', () => {
  it('takes no more off than is to pay: the rest of the vouchers is lost', () => {
    expect(takenOff(3_250, 5_000)).toEqual({ off: 3_250, lost: 1_750 })
    expect(takenOff(0, 5_000)).toEqual({ off: 0, lost: 5_000 })
    expect(takenOff(5_000, 5_000)).toEqual({ off: 5_000, lost: 0 })
    expect(takenOff(undefined, 5_000)).toEqual({ off: 5_000, lost: 0 })
  })

  it('needs all of them where they do not cover it, and where nobody typed it', () => {
    expect(vouchersForBill(2_740, [1_000, 500, 1_000])).toEqual([0, 1, 2])
    expect(vouchersForBill(undefined, [1_000, 1_000])).toEqual([0, 1])
  })

  it('leaves out what it does not need, and loses least', () => {
    expect(vouchersForBill(500, [1_000, 1_000])).toEqual([0])
    expect(vouchersForBill(500, [1_000, 500])).toEqual([1])
    expect(vouchersForBill(1_200, [1_000, 1_000, 500])).toEqual([0, 2])
    expect(vouchersForBill(0, [1_000])).toEqual([])
  })

  it('covers the bill with no voucher too many, and no other choice loses less', () => {
    const worths = fc.array(fc.constantFrom(200, 500, 1_000, 1_150, 2_000), { maxLength: 10 })
    fc.assert(
      fc.property(worths, fc.nat(8_000), (all, bill) => {
        const chosen = vouchersForBill(bill, all)
        const every = all.map((_, place) => place)
        const sum = (places: readonly number[]) => places.reduce((worth, place) => worth + all[place]!, 0)
        const subsets = Array.from({ length: 2 ** all.length }, (_, bits) =>
          every.filter((place) => bits & (2 ** place)),
        )
        const least = Math.min(...subsets.map(sum).filter((worth) => worth >= bill))
        // If the vouchers do not cover the bill, all are needed.
        expect(sum(chosen)).toBe(Math.min(least, sum(every)))
        for (const one of chosen) expect(sum(every) <= bill || sum(chosen) - all[one]! < bill).toBe(true)
      }),
      { numRuns: 100 },
    )
  })
})
