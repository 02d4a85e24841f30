import { expect, test } from 'vitest'
import { dayPresets, monthPresets, readTypedDate, typedDate } from './periods.ts'

test('the common periods end today or with the last whole month, and a week starts on Monday', () => {
  // A Wednesday.
  expect(dayPresets('2026-11-25')).toEqual([
    { label: 'Today', from: '2026-11-25', to: '2026-11-25' },
    { label: 'Yesterday', from: '2026-11-24', to: '2026-11-24' },
    { label: 'This week', from: '2026-11-23', to: '2026-11-25' },
    { label: 'This month', from: '2026-11-01', to: '2026-11-25' },
    { label: 'Last month', from: '2026-10-01', to: '2026-10-31' },
    { label: 'Last 2 months', from: '2026-09-01', to: '2026-10-31' },
  ])
  const weekOf = (day: string) => dayPresets(day).find(({ label }) => label === 'This week')?.from
  expect([weekOf('2026-11-23'), weekOf('2026-11-29'), weekOf('2027-01-01')]).toEqual([
    '2026-11-23',
    '2026-11-23',
    '2026-12-28',
  ])
  expect(monthPresets('2026-02-03').map(({ label, from, to }) => `${label}: ${from} to ${to}`)).toEqual([
    'This month: 2026-02 to 2026-02',
    'Last month: 2026-01 to 2026-01',
    'Last 3 months: 2025-11 to 2026-01',
    'This year: 2026-01 to 2026-02',
    'Last 12 months: 2025-02 to 2026-01',
    'Last year: 2025-01 to 2025-12',
  ])
})

test.each([
  ['03/10/2026', '2026-10-03'],
  [' 3/1/2026 ', '2026-01-03'],
  ['3.10.2026', '2026-10-03'],
  ['3 10 2026', '2026-10-03'],
  ['03102026', '2026-10-03'],
  ['2026-10-03', '2026-10-03'],
  ['3 Oct 2026', '2026-10-03'],
  ['3 october 2026', '2026-10-03'],
  ['29/02/2028', '2028-02-29'],
])('a typed %j is a day, with the day of the month first', (typed, day) => {
  expect(readTypedDate(typed, 'day')).toBe(day)
})

test.each(['', '3/10', '3/10/26', '29/02/2026', '31/11/2026', '10/13/2026', '03/10/20261', '3 Okt 2026', 'today'])(
  'a typed %j is no day, and stays as it is',
  (typed) => {
    expect(readTypedDate(typed, 'day')).toBeUndefined()
    expect(typedDate(typed, 'day')).toBe(typed)
  },
)

test('days and months are shown as they are typed', () => {
  expect(typedDate('2026-10-03', 'day')).toBe('03/10/2026')
  expect(typedDate('2026-10', 'month')).toBe('10/2026')
  expect(
    ['10/2026', '1/2026', '102026', '2026-10', 'Oct 2026', '13/2026', '10/26'].map((typed) =>
      readTypedDate(typed, 'month'),
    ),
  ).toEqual(['2026-10', '2026-01', '2026-10', '2026-10', '2026-10', undefined, undefined])
})
