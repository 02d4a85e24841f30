import { expect, test } from 'vitest'
import { chartSummary, pointLines, withoutZeroCents, type ChartData } from './chartData.ts'

const DAYS: ChartData = {
  label: 'Redeemed per day',
  points: [
    { label: '19 Nov', value: 12 },
    { label: '20 Nov', value: 40 },
    { label: 'Today', value: 3 },
  ],
  format: (value) => `$${value}`,
  before: [8, 9, 10],
  beforeName: '3 days before',
  nowIndex: 2,
}

test('a chart is summed up in words, and the day that is not over counts apart', () => {
  expect(chartSummary(DAYS)).toBe(
    'Redeemed per day. 3 values, 19 Nov to Today. Lowest $12 (19 Nov), highest $40 (20 Nov). Today so far $3.',
  )
})

test('a chart without values, with one, and with equal ones says so', () => {
  const { label, format } = DAYS
  expect(chartSummary({ label, format, points: [] })).toBe('Redeemed per day. No values.')
  expect(chartSummary({ label, format, points: [{ label: 'May', value: 4 }] })).toBe('Redeemed per day. May. Value $4.')
  const equal = ['May', 'June'].map((month) => ({ label: month, value: 0 }))
  expect(chartSummary({ label, format, points: equal })).toBe('Redeemed per day. 2 values, May to June. Each $0.')
})

test('a point is named with its value and the one before', () => {
  expect(pointLines(DAYS, 1)).toEqual(['20 Nov: $40', '3 days before: $9'])
  expect(pointLines(DAYS, 2)).toEqual(['Today so far: $3', '3 days before: $10'])
  expect(pointLines({ ...DAYS, before: undefined }, 0)).toEqual(['19 Nov: $12'])
  expect(pointLines(DAYS, 3)).toEqual([])
})

test('the axis leaves out cents that are none', () => {
  expect(withoutZeroCents('$1,500.00')).toBe('$1,500')
  expect(withoutZeroCents('$2.50')).toBe('$2.50')
})
