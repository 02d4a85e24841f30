import { describe, expect, it } from 'vitest'
import { idleState, readClaims, tokenState } from './sessions.ts'

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

const MINUTES_15 = 15 * 60
const after = (seconds: number) => idleState(0, MINUTES_15, seconds * 1000)

describe('the idle limit', () => {
  it('warns two minutes before, and is over at the limit', () => {
    expect(after(13 * 60 - 1)).toEqual({ is: 'active' })
    expect(after(13 * 60)).toEqual({ is: 'warning', secondsLeft: 120 })
    expect(after(MINUTES_15 - 1)).toEqual({ is: 'warning', secondsLeft: 1 })
    expect(after(MINUTES_15)).toEqual({ is: 'over' })
    expect(after(10 * 3600)).toEqual({ is: 'over' })
  })
  it('leaves a short limit some time without a warning', () => {
    expect(idleState(0, 60, 29_000)).toEqual({ is: 'active' })
    expect(idleState(0, 60, 31_000)).toEqual({ is: 'warning', secondsLeft: 29 })
  })
  it('takes an action of the future for one of now', () => {
    expect(idleState(90_000, MINUTES_15, 0)).toEqual({ is: 'active' })
  })
})
