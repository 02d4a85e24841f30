import { describe, expect, it } from 'vitest'
import { readClaims, tokenState } from './sessions.ts'

const tokenWith = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
const token = tokenWith({ sub: 'ü', sid: 's', exp: 100, iat: 1 })

describe('an access token', () => {
  it('is expired from the second its exp names', () => {
    expect(tokenState(token, 99_999)).toBe('valid')
    expect(tokenState(token, 100_000)).toBe('expired')
  })
  it('is missing when there is none, or none that can be read', () => {
    for (const broken of [undefined, '', 'a.b.c', 'e30.e30.x', tokenWith({ exp: '100' })]) {
      expect(tokenState(broken, 0)).toBe('missing')
    }
  })
  it('gives its claims without being verified', () => {
    expect(readClaims(token)?.sid).toBe('s')
  })
})
