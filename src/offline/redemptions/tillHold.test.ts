import { describe, expect, it } from 'vitest'
import { mayConfirm } from './tillHold.ts'

const MINUTE = 60_000
const started = { wall: 1_000 * MINUTE, monotonic: 5 * MINUTE }
const after = (wall: number, monotonic: number) =>
  mayConfirm(
    { wall: () => started.wall + wall * MINUTE, monotonic: () => started.monotonic + monotonic * MINUTE },
    started,
  )

describe('the ten minutes of a device', () => {
  it('are counted by the clock that is further ahead', () => {
    expect(after(9.9, 9.9)).toBe(true)
    expect(after(10, 2)).toBe(false)
    expect(after(9.97, 10)).toBe(false)
  })

  it('are over if the wall clock was turned back', () => {
    expect(after(-1, 1)).toBe(false)
    expect(after(3, 4)).toBe(false)
  })

  it('continue if the clock is corrected by a second', () => {
    expect(after(3, 3 + 1 / 60)).toBe(true)
  })
})
