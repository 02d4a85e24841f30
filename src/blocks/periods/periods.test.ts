import { expect, test } from 'vitest'
import { dayPresets, monthPresets } from './periods.ts'

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
