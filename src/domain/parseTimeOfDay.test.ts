import { expect, test } from 'vitest'
import { parseTimeOfDay } from './operatingHours.ts'

test.each([
  ['8', '08:00'],
  ['0830', '08:30'],
  ['830', '08:30'],
  ['8.30', '08:30'],
  [' 21:30 ', '21:30'],
  ['9:30 pm', '21:30'],
  ['12 am', '00:00'],
  ['12pm', '12:00'],
  ['22 pm', '22:00'],
  ['0900hrs', '09:00'],
  ['12nn', '12:00'],
  ['12 mn', '00:00'],
])('reads %j as %s', (typed, meant) => {
  expect(parseTimeOfDay(typed)).toBe(meant)
})

test.each(['', 'noon', '8:3', '08:30:00', '-1'])('leaves %j to the schema', (typed) => {
  expect(parseTimeOfDay(typed)).toBe(typed)
})

test('does not make a time of what is none', () => {
  expect(parseTimeOfDay('25:61')).toBe('25:61')
})
