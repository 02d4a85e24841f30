import { expect, test } from 'vitest'
import { formatOperatingHours } from './operatingHours.ts'

const day = { opens: '08:00', closes: '21:30' }
const late = { opens: '09:00', closes: '22:30' }

test('puts days with the same hours together, and says which are closed', () => {
  const week = {
    Monday: day,
    Tuesday: day,
    Wednesday: day,
    Thursday: day,
    Friday: late,
    Saturday: late,
    Sunday: null,
  }
  expect(formatOperatingHours(week)).toBe('Mon–Thu 08:00–21:30, Fri, Sat 09:00–22:30, Sun closed')
})

test('says each day that differs from the one before by itself', () => {
  const week = {
    Monday: day,
    Tuesday: null,
    Wednesday: day,
    Thursday: null,
    Friday: null,
    Saturday: null,
    Sunday: late,
  }
  expect(formatOperatingHours(week)).toBe(
    'Mon 08:00–21:30, Tue closed, Wed 08:00–21:30, Thu–Sat closed, Sun 09:00–22:30',
  )
})

test('an unbroken week is one range', () => {
  const week = { Monday: day, Tuesday: day, Wednesday: day, Thursday: day, Friday: day, Saturday: day, Sunday: day }
  expect(formatOperatingHours(week)).toBe('Mon–Sun 08:00–21:30')
})
