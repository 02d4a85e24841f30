import { describe, expect, it } from 'vitest'
import { GRANT_LACKS } from '../../../contract/redemptions/allowance.ts'
import { meterText } from '../allowance/meterText.ts'
import { notAcceptedWords } from '../allowance/notAcceptedWords.ts'
import { lossText } from './atRiskVerdicts.ts'

const NOW = new Date('2026-11-27T12:30:00Z')

describe('a time at the counter', () => {
  const meter = { left_cents: 3_800, of_cents: 5_000 }

  it('is without a day while that is today', () => {
    const at = '2026-11-27T04:04:00Z'
    expect(lossText({ lost: { reason: 'used elsewhere', at } }, NOW)).toBe('Lost: used elsewhere at 12:04')
    const until = '2026-11-27T15:59:00Z'
    expect(meterText({ ...meter, ends_at: until }, NOW)).toBe('$38.00 of $50.00 left, until 23:59')
  })

  it('has its day on any other, by Singapore', () => {
    const at = '2026-11-20T04:04:00Z'
    expect(lossText({ lost: { reason: 'used elsewhere', at } }, NOW)).toBe('Lost: used elsewhere on 20 Nov 2026, 12:04')
    expect(lossText({ lost: { reason: 'revoked', at } }, NOW)).toBe('Lost: revoked on 20 Nov 2026, 12:04')
    const until = '2026-11-27T16:20:00Z'
    expect(meterText({ ...meter, ends_at: until }, NOW)).toBe('$38.00 of $50.00 left, until 28 Nov 2026, 00:20')
    const ended = notAcceptedWords({ is: 'not', why: 'ended', meter: { ...meter, ends_at: at } }, NOW)
    expect(ended.happened).toContain('until 20 Nov 2026, 12:04.')
  })
})

const REASONS = [
  'ended',
  'clock',
  'voucher',
  'till',
  'unsigned',
  'known',
  'held',
  'forged',
  'expired',
  'unknown key',
  'ended key',
  'spent',
  'keys',
  'filter',
  ...GRANT_LACKS,
] as const

describe('a voucher that is not accepted', () => {
  const textsOf = (why: (typeof REASONS)[number]) => {
    const { word, say, happened, tell, todo } = notAcceptedWords({ is: 'not', why })
    return [word, say, happened, tell, todo]
  }
  const verdictOf = (why: (typeof REASONS)[number]) => textsOf(why).join(' ')

  it.each(['spent', 'unknown key', 'ended key', 'held'] as const)('is not said to stay valid: %s', (why) => {
    expect(verdictOf(why)).not.toContain('valid')
  })

  it('may have been used, where the list of the device has it', () => {
    expect(verdictOf('spent')).toContain('This voucher may have been used. Check it when the connection is back.')
  })

  it.each(REASONS)('is told in short sentences: %s', (why) => {
    const long = textsOf(why)
      .flatMap((text) => text.split(/[.?!]\s/))
      .filter((sentence) => sentence.split(' ').length >= 15)
    expect(long).toEqual([])
    expect(verdictOf(why)).not.toContain('was back')
  })
})
