import { expect, test } from 'vitest'
import { Crowd } from './Crowd.ts'

const crowd = (random = Math.random) => {
  const clock = { ms: 0 }
  return { clock, crowd: new Crowd(() => clock.ms, random) }
}

test('one that is refused is told the least, for nobody else comes back', () => {
  const { crowd: few } = crowd()
  expect(few.comeBackIn(2)).toBe(2)
})

test('the more are refused, the further they are spread, and evenly', () => {
  const { crowd: many } = crowd()
  const told = Array.from({ length: 4_000 }, () => many.comeBackIn(1))
  // A hundred a second until more is known: forty seconds, and a quarter more by chance.
  expect(Math.max(...told)).toBeGreaterThan(40)
  expect(Math.max(...told)).toBeLessThanOrEqual(51)
  for (let second = 5; second < 30; second += 5) {
    const back = told.filter((at) => at >= second && at < second + 5).length
    // Five hundred are expected.
    expect(back).toBeGreaterThan(350)
    expect(back).toBeLessThan(650)
  }
})

test('two that were refused together are hardly told the same', () => {
  const { crowd: many } = crowd()
  const told = Array.from({ length: 2_000 }, () => many.comeBackIn(1)).slice(-50)
  expect(new Set(told).size).toBeGreaterThan(5)
})

test('those who are due are not counted any more', () => {
  const { clock, crowd: many } = crowd(() => 0.5)
  for (let n = 0; n < 1_000; n += 1) many.comeBackIn(1)
  expect(many.comeBackIn(1)).toBe(11)
  clock.ms = 20_000
  expect(many.comeBackIn(1)).toBe(1)
})

test('a server that lets in more than was believed calls them back sooner', () => {
  const { clock, crowd: many } = crowd(() => 0.5)
  many.comeBackIn(1)
  for (let n = 0; n < 400; n += 1) many.served()
  clock.ms = 1_000
  for (let n = 0; n < 4_000; n += 1) many.comeBackIn(1)
  expect(many.comeBackIn(1)).toBe(11)
})

test('nobody is sent away for longer than two minutes', () => {
  const { crowd: many } = crowd(() => 1)
  for (let n = 0; n < 100_000; n += 1) many.comeBackIn(5)
  expect(many.comeBackIn(5)).toBeLessThan(120)
})
