import { describe, expect, test } from 'vitest'
import { placeFailure } from './formErrors.ts'

describe('what the server said', () => {
  test('stands at the fields alone when all of it has a field', () => {
    const failure = { message: 'Validation failed', fields: [{ path: 'to', message: 'is closed' }] }
    expect(placeFailure(failure, ['from', 'to'])).toEqual({ errors: { to: 'is closed' } })
  })
  test('is said in full when some of it has no field here', () => {
    const fields = [
      { path: 'to', message: 'is closed' },
      { path: 'zone', message: 'is unknown' },
    ]
    expect(placeFailure({ message: 'Validation failed', fields }, ['from', 'to'])).toEqual({
      errors: { to: 'is closed' },
      notice: 'Validation failed zone: is unknown',
    })
  })
  test('is a notice when it names no field', () => {
    expect(placeFailure({ message: 'Please try again.' }, ['to'])).toEqual({ errors: {}, notice: 'Please try again.' })
  })
})
