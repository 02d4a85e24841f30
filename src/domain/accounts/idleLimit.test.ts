import { describe, expect, it } from 'vitest'
import { formatCountdown, idleState } from './sessions.ts'

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

it('counts down in minutes and seconds', () => {
  expect([120, 102, 60, 9].map(formatCountdown)).toEqual(['2:00', '1:42', '1:00', '0:09'])
})
