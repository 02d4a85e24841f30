import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { omitErrors, placeFailure, schemaErrors, stillShown, visibleErrors } from './formErrors.ts'

const Range = v.pipe(
  v.object({
    from: v.pipe(v.string(), v.nonEmpty('is required'), v.regex(/^\d+$/, 'must be digits')),
    to: v.pipe(v.string(), v.nonEmpty('is required')),
  }),
  v.forward(
    v.partialCheck([['from'], ['to']], ({ from, to }) => Number(from) <= Number(to), 'must not be before From'),
    ['to'],
  ),
)

describe('what the schema finds', () => {
  test('keeps the first message of each field', () => {
    expect(schemaErrors(Range, { from: '', to: '' })).toEqual({ from: 'is required', to: 'is required' })
  })
  test('puts a check over two fields at the one it is forwarded to', () => {
    expect(schemaErrors(Range, { from: '9', to: '3' })).toEqual({ to: 'must not be before From' })
  })
  test('spells nested paths as the server does', () => {
    const Brands = v.object({ brands: v.array(v.object({ name: v.pipe(v.string(), v.nonEmpty('is required')) })) })
    expect(schemaErrors(Brands, { brands: [{ name: '' }] })).toEqual({ 'brands.0.name': 'is required' })
  })
  test('keeps what concerns the form as a whole under the empty path', () => {
    const whole = v.pipe(
      v.object({ a: v.string() }),
      v.check(() => false, 'does not add up'),
    )
    expect(schemaErrors(whole, { a: '' })).toEqual({ '': 'does not add up' })
  })
})

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

describe('what may be seen', () => {
  test('is what was left or submitted, and what the server said of any field', () => {
    const found = { from: 'is required', to: 'is required' }
    expect(visibleErrors(found, new Set(['from']), {})).toEqual({ from: 'is required' })
    expect(visibleErrors({}, new Set(), { to: 'is closed' })).toEqual({ to: 'is closed' })
  })
  test('a corrected field goes quiet until it is left again', () => {
    expect(stillShown(new Set(['from', 'to']), { to: 'is required' }, ['from'])).toEqual(new Set(['to']))
  })
  test('a field that is still wrong keeps its error while typing', () => {
    expect(stillShown(new Set(['from']), { from: 'must be digits' }, ['from'])).toEqual(new Set(['from']))
  })
  test("the server's word about a field goes once that field is changed", () => {
    expect(omitErrors({ from: 'is closed', to: 'is closed' }, ['from'])).toEqual({ to: 'is closed' })
  })
})
