import { describe, expect, it } from 'vitest'
import { errorSentence, placeFailure, waitText } from './formErrors.ts'

describe('what the server said', () => {
  it('stands at the fields alone when all of it has a field', () => {
    const failure = { message: 'Validation failed', fields: [{ path: 'to', message: 'is closed' }] }
    expect(placeFailure(failure, ['from', 'to'])).toEqual({ errors: { to: 'is closed' } })
  })
  it('is said in full when some of it has no field here', () => {
    const fields = [
      { path: 'to', message: 'is closed' },
      { path: 'zone', message: 'is unknown' },
    ]
    expect(placeFailure({ message: 'Validation failed', fields }, ['from', 'to'])).toEqual({
      errors: { to: 'is closed' },
      notice: 'Validation failed zone: is unknown',
    })
  })
  it('is a notice when it names no field', () => {
    expect(placeFailure({ message: 'Please try again.' }, ['to'])).toEqual({ errors: {}, notice: 'Please try again.' })
  })
})

it.each([
  ['must be a number', 'Number of POS terminals must be a number.'],
  ['has too many pixels', 'Number of POS terminals has too many pixels.'],
  ['are separated by commas only', 'Number of POS terminals are separated by commas only.'],
  ['is required', 'Number of POS terminals is required.'],
  ['invalid email', 'Invalid email.'],
  ['date range must not exceed 2 months', 'Date range must not exceed 2 months.'],
  ['Email or password is incorrect.', 'Email or password is incorrect.'],
])('%s becomes: %s', (message, sentence) => expect(errorSentence('Number of POS terminals', message)).toBe(sentence))

it.each([
  ['Terminal types', 'is required', 'Terminal types are required.'],
  ['Credit terms in days', 'is required', 'Credit terms in days are required.'],
  ['Outlets that do not take part', 'has too many lines', 'Outlets that do not take part have too many lines.'],
  ['Participating brands', 'must be 0 or more', 'Participating brands must be 0 or more.'],
  ['Number of outlets taking part', 'is required', 'Number of outlets taking part is required.'],
  ['Office address', 'is required', 'Office address is required.'],
  ['Status', 'is required', 'Status is required.'],
  ['POS', 'is required', 'POS is required.'],
])('of %s, %s becomes: %s', (label, message, sentence) => expect(errorSentence(label, message)).toBe(sentence))

it.each([
  [1, '1 second'],
  [59, '59 seconds'],
  [60, '1 minute'],
  [61, '1 minute 1 second'],
  [895, '14 minutes 55 seconds'],
])('%d: %s', (seconds, text) => {
  expect(waitText(seconds)).toBe(text)
})
