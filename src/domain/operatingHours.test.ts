import { expect, test } from 'vitest'
import { WEEKDAYS } from '../contract/merchants/onboarding.ts'
import { formatOperatingHours, parseOperatingHours } from './operatingHours.ts'

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

const night = { opens: '18:00', closes: '02:00' }
const whole = { opens: '00:00', closes: '24:00' }

test('says that hours end on the next day, and that a day is open around the clock', () => {
  const week = {
    Monday: null,
    Tuesday: night,
    Wednesday: night,
    Thursday: night,
    Friday: { opens: '18:00', closes: '00:00' },
    Saturday: whole,
    Sunday: whole,
  }
  const line = 'Mon closed, Tue–Thu 18:00–02:00 (next day), Fri 18:00–24:00, Sat, Sun 24 hours'
  expect(formatOperatingHours(week)).toBe(line)
  expect(parseOperatingHours(line)).toEqual({ ...week, Friday: { opens: '18:00', closes: '24:00' } })
})

test.each([
  [
    'Mon-Fri 8am-9.30pm; Sat 0900-1300',
    {
      ...weekOf(['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']),
      Saturday: { opens: '09:00', closes: '13:00' },
    },
  ],
  [
    'Daily 24 hours',
    { Monday: whole, Tuesday: whole, Wednesday: whole, Thursday: whole, Friday: whole, Saturday: whole, Sunday: whole },
  ],
  ['monday, Wednesday 08:00 - 21:30', weekOf(['Monday', 'Wednesday'])],
  ['Sat–Mon 08:00–21:30', weekOf(['Saturday', 'Sunday', 'Monday'])],
])('reads %j, and what is not named is closed', (text, week) => expect(parseOperatingHours(text)).toEqual(week))

test.each([
  '08:00–21:30',
  'Mon',
  'Mon 08:00',
  'Xyz 08:00–21:30',
  'Mon 08:00–21:30, Mon closed',
  'Mon 08:00–21:30 perhaps',
  '',
])('makes no week of %j', (text) => expect(parseOperatingHours(text)).toBeUndefined())

function weekOf(open: readonly string[]) {
  return Object.fromEntries(WEEKDAYS.map((weekday) => [weekday, open.includes(weekday) ? day : null]))
}
