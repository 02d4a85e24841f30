import { describe, expect, it } from 'vitest'
import type { Refusal } from './redemption.ts'
import { verdictOf } from './verdictOf.ts'

const serial = '2004839201186'
const row = {
  id: 'x',
  owner: 'y',
  serial,
  denomination_cents: 1000,
  expires_on: '2026-12-31',
  state: 'abandoned' as const,
  askedAt: 0,
  sentAt: 0,
}
const REFUSALS: Refusal[] = ['used', 'expired', 'revoked', 'unknown', 'busy', 'throttled', 'unavailable']

describe('a verdict', () => {
  it('says "Redeemed" with a receipt and never without one', () => {
    const others = [
      ...REFUSALS.map((refusal) => ({ at: 'refused' as const, refusal, serial })),
      { at: 'not-known' as const, row },
    ]
    for (const state of others) expect(verdictOf(state).word).not.toMatch(/^Redeemed/)
  })
  it('takes money off the bill in no other case', () => {
    for (const refusal of REFUSALS) {
      expect(verdictOf({ at: 'refused', refusal, serial }).say).not.toMatch(/^Take \$/)
    }
    expect(verdictOf({ at: 'not-known', row }).say).toBe('Take nothing off the bill yet.')
  })
  it('is its own for each reason the voucher itself gives', () => {
    const words = (['used', 'expired', 'revoked', 'unknown'] as const).map(
      (refusal) => verdictOf({ at: 'refused', refusal, serial }).word,
    )
    expect(words).toEqual(['Already used', 'Expired', 'Revoked', 'Unknown voucher'])
  })
})
