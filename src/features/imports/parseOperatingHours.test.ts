import { expect, test } from 'vitest'
import type { OperatingHours } from '../../contract/merchants/onboarding.ts'
import { formatOperatingHours } from '../../domain/operatingHours.ts'
import { WEEKDAYS, type Weekday } from '../../domain/weekdays.ts'
import { parseOperatingHours } from './parseOperatingHours.ts'

const day = { opens: '08:00', closes: '21:30' }
const office = { opens: '09:00', closes: '18:00' }
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

const rested = { opens: '11:30', closes: '22:00', break: { from: '14:30', to: '17:30' } }
const WORKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

test('says a break between two parts of a day, and reads it back', () => {
  const week = { ...weekOf([...WORKDAYS, 'Saturday'], rested), Saturday: { ...rested, closes: '02:00' } }
  const line = 'Mon–Fri 11:30–14:30 and 17:30–22:00, Sat 11:30–14:30 and 17:30–02:00 (next day), Sun closed'
  expect(formatOperatingHours(week)).toBe(line)
  expect(parseOperatingHours(line)).toEqual(week)
})

test.each([
  [
    'Mon-Fri 11am-3pm, 5pm-10pm',
    weekOf(WORKDAYS, { opens: '11:00', closes: '22:00', break: { from: '15:00', to: '17:00' } }),
  ],
  ['Mon to Fri 9am-6pm', weekOf(WORKDAYS, office)],
  ['Mon - Fri: 9am-6pm', weekOf(WORKDAYS, office)],
  ['Weekdays 9-6pm', weekOf(WORKDAYS, office)],
  ['Everyday 9am to 6pm', weekOf(WEEKDAYS, office)],
  ['Every day: 0900hrs-1800hrs, PH closed', weekOf(WEEKDAYS, office)],
  ['Sat & Sun 0900hrs – 1800 hrs', weekOf(['Saturday', 'Sunday'], office)],
  ['Sat, Sun and PH 9 am - 6 pm', weekOf(['Saturday', 'Sunday'], office)],
  ['Mondays to Thurs 12nn-6pm / Fri closed', weekOf(WORKDAYS.slice(0, 4), { opens: '12:00', closes: '18:00' })],
])('reads %j as people of the trade write it', (text, week) => expect(parseOperatingHours(text)).toEqual(week))

test.each([
  'Mon-Fri 9-6',
  'Mon-Fri 8-9pm',
  'Mon 8am-10am, 11am-1pm, 2pm-4pm',
  'Mon 9am-6pm, 5pm-10pm',
  'PH 10am-4pm',
  'Mon-Fri 9am-6pm, last order 5pm',
])('does not guess what %j means', (text) => expect(parseOperatingHours(text)).toBeUndefined())

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

function weekOf(open: readonly string[], hours: OperatingHours[Weekday] = day) {
  return Object.fromEntries(
    WEEKDAYS.map((weekday) => [weekday, open.includes(weekday) ? hours : null]),
  ) as OperatingHours
}
