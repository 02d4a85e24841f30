import { describe, expect, it } from 'vitest'
import { isWeakPin, pinPrefix } from './branches.ts'

describe('a branch PIN', () => {
  it('begins with the merchant ID by default, or with its last three digits where it is longer', () => {
    expect(pinPrefix('104')).toBe('104')
    expect(pinPrefix('1004')).toBe('004')
    expect(pinPrefix('100512')).toBe('512')
  })

  it('of the first or of the last three digits of the merchant ID, with an obvious end, is tried first too', () => {
    expect(isWeakPin('512000', '100512')).toBe(true)
    expect(isWeakPin('100000', '100512')).toBe(true)
    expect(isWeakPin('512083', '100512')).toBe(false)
  })

  it.each([
    '104000',
    '104123',
    '104321',
    '104777',
    '111111',
    '123456',
    '987654',
    '482482',
    '104104',
    '345678',
    '901234',
  ])('%s is one that anybody would try first', (pin) => expect(isWeakPin(pin, '104')).toBe(true))

  it.each(['104583', '482913', '104128', '583000', '112233', '120120'.slice(0, 5) + '7'])('%s is not', (pin) =>
    expect(isWeakPin(pin, '104')).toBe(false),
  )
})
