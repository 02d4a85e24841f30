import { describe, expect, it } from 'vitest'
import { isLinearizable } from './linearizability.ts'
import { voucherModel, type VoucherCall } from './voucherModel.ts'

const HOUR = 3_600_000

/** A call between two moments, with or without an answer. */
const call = (
  ask: VoucherCall['ask'],
  hold: string,
  span: [from: number, to?: number],
  answer?: string,
): VoucherCall => {
  const [from, to = Number.POSITIVE_INFINITY] = span
  return { ask, hold, from, to, askedAt: from, answeredAt: to, ...(answer === undefined ? {} : { answer }) }
}
const isLawful = (...calls: VoucherCall[]) => isLinearizable(calls, voucherModel())

describe('a history of one voucher', () => {
  it('is linearizable when one order explains every answer, whichever came first', () => {
    expect(isLawful(call('verify', 'a', [1, 2], '200'), call('redeem', 'a', [3, 4], 'redeemed'))).toBe(true)
    // Both ask at once: the second was first.
    expect(isLawful(call('verify', 'a', [1, 5], 'VOUCHER_HELD'), call('verify', 'b', [2, 4], '200'))).toBe(true)
    const letGo = call('cancel', 'a', [3, 9], 'ended cancelled')
    expect(isLawful(call('verify', 'a', [1, 2], '200'), letGo, call('verify', 'b', [4, 5], '200'))).toBe(true)
  })

  it('is not when two tills hold it, or it is redeemed after it was given back', () => {
    expect(isLawful(call('verify', 'a', [1, 2], '200'), call('verify', 'b', [3, 4], '200'))).toBe(false)
    const heard = [call('verify', 'a', [1, 2], '200'), call('cancel', 'a', [3, 4], 'ended cancelled')]
    expect(isLawful(...heard, call('redeem', 'a', [5, 6], 'redeemed'))).toBe(false)
    // At the same time each may have been first.
    expect(
      isLawful(heard[0]!, call('cancel', 'a', [3, 6], 'ended cancelled'), call('redeem', 'a', [4, 5], 'redeemed')),
    ).toBe(false)
    expect(isLawful(heard[0]!, call('cancel', 'a', [3, 6], 'redeemed'), call('redeem', 'a', [4, 5], 'redeemed'))).toBe(
      true,
    )
  })

  it('may have a call without an answer happen late, or never', () => {
    const lost = call('redeem', 'a', [3])
    const verified = call('verify', 'a', [1, 2], '200')
    expect(isLawful(verified, lost, call('ask', 'a', [4, 5], 'held'), call('ask', 'a', [6, 7], 'redeemed'))).toBe(true)
    expect(isLawful(verified, lost, call('ask', 'a', [4, 5], 'held'))).toBe(true)
    expect(isLawful(verified, call('ask', 'a', [4, 5], 'redeemed'), call('redeem', 'a', [6]))).toBe(false)
  })

  it('knows the 24 hours of a hold, the five minutes of a void, and the day of expiry', () => {
    const held = call('verify', 'a', [1, 2], '200')
    expect(isLawful(held, call('verify', 'b', [24 * HOUR, 24 * HOUR + 1], '200'))).toBe(true)
    expect(isLawful(held, call('verify', 'b', [23 * HOUR, 23 * HOUR + 1], '200'))).toBe(false)
    const redeemed = call('redeem', 'a', [3, 4], 'redeemed')
    expect(isLawful(held, redeemed, call('void', 'a', [HOUR, HOUR + 1], 'voided'))).toBe(false)
    expect(isLawful(held, redeemed, call('void', 'a', [HOUR, HOUR + 1], 'redeemed'))).toBe(true)
    expect(isLinearizable([call('verify', 'a', [1, 2], '200')], voucherModel(1))).toBe(false)
    expect(isLinearizable([held, call('redeem', 'a', [9, 10], 'redeemed')], voucherModel(2))).toBe(true)
  })

  it('is judged at once, however often a call had no answer', () => {
    const lost = Array.from({ length: 60 }, (_, n) => call('redeem', 'a', [10 + n]))
    const asked = Array.from({ length: 20 }, (_, n) =>
      call('verify', `b${n}`, [100 + 2 * n, 101 + 2 * n], 'VOUCHER_HELD'),
    )
    expect(isLawful(call('verify', 'a', [1, 2], '200'), ...lost, ...asked)).toBe(true)
    expect(
      isLawful(call('verify', 'a', [1, 2], '200'), ...lost, ...asked, call('ask', 'a', [200, 201], 'voided')),
    ).toBe(false)
  })
})
