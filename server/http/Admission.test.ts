import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../src/contract/endpoints.ts'
import { SERVER_BUSY } from '../services/Refusal.ts'
import { Admission, Crowd } from './Admission.ts'

const hundredTimes = (admission: Admission, isGone: boolean) =>
  Promise.all(Array.from({ length: 100 }, () => admission.comeBackIn('uploads', 1, () => isGone)))

test('who has hung up before it was refused takes nobody a time to come back', async () => {
  const admission = new Admission({ longestWaitMs: () => 0, writability: () => 'writable' }, { longestWaitMs: () => 0 })
  await hundredTimes(admission, true)
  expect(Math.max(...(await hundredTimes(admission, false)))).toBe(2)
  expect(Math.max(...(await hundredTimes(admission, false)))).toBe(3)
})

test.for([
  ['counter', 'voucher.verify', 750],
  ['uploads', 'till.sync', 50],
] as const)('%s are refused when a row has waited as long for its batch', ([lane, name, most]) => {
  const batches = { longestWaitMs: (): number => most }
  const admission = new Admission({ longestWaitMs: () => 0, writability: () => 'writable' }, batches)
  const ask = () => admission.refuseWhenBusy(ENDPOINTS[name], lane)
  expect(ask).toThrow(SERVER_BUSY)
  batches.longestWaitMs = () => most - 1
  expect(ask).not.toThrow()
})

const crowd = () => {
  const clock = { ms: 0 }
  return { clock, crowd: new Crowd(() => clock.ms) }
}

test('one that is refused is told the least, for nobody else comes back', () => {
  const { crowd: few } = crowd()
  expect(few.comeBackIn(2)).toBe(2)
})

test('the more are refused, the further they are spread, and evenly', () => {
  const { crowd: many } = crowd()
  const told = Array.from({ length: 4_320 }, () => many.comeBackIn(1))
  // 108 a second until more is known: nine tenths of what a quiet server is believed to serve.
  expect(Math.max(...told)).toBe(41)
  for (let second = 2; second < 40; second += 1) {
    // Whole seconds: one more or less is rounded into the next.
    expect(Math.abs(told.filter((at) => at === second).length - 108)).toBeLessThanOrEqual(1)
  }
})

test('those who are due are not counted any more', () => {
  const { clock, crowd: many } = crowd()
  for (let n = 0; n < 1_080; n += 1) many.comeBackIn(1)
  expect(many.comeBackIn(1)).toBe(11)
  clock.ms = 20_000
  expect(many.comeBackIn(1)).toBe(1)
})

/** How many seconds later the last of a thousand is called back, after a second of these calls. */
function secondsAfter({ served, refused }: { served: number; refused: number }): number {
  const { clock, crowd: many } = crowd()
  for (let n = 0; n < refused; n += 1) many.comeBackIn(1)
  for (let n = 0; n < served; n += 1) many.served()
  clock.ms = 1_000
  for (let n = 1; n < 1_000; n += 1) many.comeBackIn(0)
  return many.comeBackIn(0)
}

test('a server that served more than was believed calls them back sooner, whether it refused somebody or not', () => {
  expect(secondsAfter({ served: 500, refused: 0 })).toBe(2)
  expect(secondsAfter({ served: 500, refused: 1 })).toBe(2)
})

test('one that refused and served less calls them back later, but hardly for a second that it spent on refusing', () => {
  expect(secondsAfter({ served: 10, refused: 0 })).toBe(9)
  expect(secondsAfter({ served: 10, refused: 30 })).toBe(10)
  expect(secondsAfter({ served: 10, refused: 50 })).toBe(9)
})

test('nobody is sent away for longer than two minutes', () => {
  const { crowd: many } = crowd()
  for (let n = 0; n < 100_000; n += 1) many.comeBackIn(5)
  expect(many.comeBackIn(5)).toBeLessThan(120)
})
