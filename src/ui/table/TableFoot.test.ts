import { expect, test } from 'vitest'
import { pageCount, pageText, rangeText } from './TableFoot.tsx'

test('names the rows in view and how many there are', () => {
  expect(rangeText({ page: 1, size: 10, total: 1204 }, 10)).toBe('1–10 of 1,204')
  expect(rangeText({ page: 121, size: 10, total: 1204 }, 4)).toBe('1,201–1,204 of 1,204')
})

test('a single row is no range', () => {
  expect(rangeText({ page: 3, size: 10, total: 21 }, 1)).toBe('21 of 21')
})

test('says that the counting stopped', () => {
  const capped = { page: 2, size: 50, total: 10_000, totalCapped: true }
  expect(rangeText(capped, 50)).toBe('51–100 of 10,000+')
  expect(pageText(capped)).toBe('Page 2 of 200+')
})

test('no rows are still one page', () => {
  expect(rangeText({ page: 1, size: 10, total: 0 }, 0)).toBe('0 of 0')
  expect(pageCount({ page: 1, size: 10, total: 0 })).toBe(1)
})
