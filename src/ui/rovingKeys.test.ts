import { expect, test } from 'vitest'
import { nextIndex } from './rovingKeys.ts'

test('arrows go round the ends', () => {
  expect(nextIndex('ArrowDown', 2, 3, 'vertical')).toBe(0)
  expect(nextIndex('ArrowLeft', 0, 3, 'horizontal')).toBe(2)
})

test('Home and End go to the ends', () => {
  expect(nextIndex('Home', 2, 3, 'vertical')).toBe(0)
  expect(nextIndex('End', 0, 3, 'vertical')).toBe(2)
})

test('other keys, the other axis and an empty list move nothing', () => {
  expect(nextIndex('a', 0, 3, 'vertical')).toBeUndefined()
  expect(nextIndex('ArrowRight', 0, 3, 'vertical')).toBeUndefined()
  expect(nextIndex('ArrowDown', -1, 0, 'vertical')).toBeUndefined()
})
