import * as v from 'valibot'
import { expect, test } from 'vitest'
import { schemaErrors, visibleErrors } from './formErrors.ts'
import { formReducer, initialState, type FormEventOf, type FormState } from './formState.ts'

const Login = v.object({
  email: v.pipe(v.string(), v.nonEmpty('is required'), v.email('invalid email')),
  password: v.pipe(v.string(), v.nonEmpty('is required')),
})
type Values = v.InferInput<typeof Login>

const after = (...events: FormEventOf<Values>[]): FormState<Values> =>
  events.reduce(formReducer<Values>(Login), initialState<Values>({ email: '', password: '' }))
const seen = (form: FormState<Values>) => visibleErrors(schemaErrors(Login, form.values), form.shown, form.serverErrors)
const typed = (email: string) => ({ type: 'changed', changes: { email } }) as const

test('nothing is said while a field is typed in for the first time', () => {
  expect(seen(after(typed('m')))).toEqual({})
})

test('the error comes on leaving the field', () => {
  expect(seen(after(typed('m'), { type: 'left', name: 'email' }))).toEqual({ email: 'invalid email' })
})

test('passing through an untouched field says nothing', () => {
  expect(seen(after({ type: 'left', name: 'email' }))).toEqual({})
})

test('a shown error goes as soon as it is put right, and does not come back while typing', () => {
  const left = [typed('m'), { type: 'left', name: 'email' }] as const
  expect(seen(after(...left, typed('m@shop.example')))).toEqual({})
  expect(seen(after(...left, typed('m@shop.example'), typed('m@')))).toEqual({})
})

test('a try shows every error', () => {
  expect(seen(after({ type: 'tried' }))).toEqual({ email: 'is required', password: 'is required' })
})

test('a refusal keeps what was typed and stands at its field until that is changed', () => {
  const refused = after(
    { type: 'changed', changes: { email: 'm@shop.example', password: 'x' } },
    { type: 'tried' },
    { type: 'sending' },
    { type: 'refused', failure: { message: 'no', fields: [{ path: 'password', message: 'is incorrect' }] } },
  )
  expect(refused).toMatchObject({ submitting: false, values: { email: 'm@shop.example', password: 'x' } })
  expect(seen(refused)).toEqual({ password: 'is incorrect' })
  const changed = formReducer<Values>(Login)(refused, { type: 'changed', changes: { password: 'y' } })
  expect(seen(changed)).toEqual({})
})

test('an answer of no more use is cleared: only why is said, and nothing more while the next is typed', () => {
  const failure = { message: 'no', fields: [{ path: 'password', message: 'is incorrect' }], clears: ['password'] }
  const refused = after(
    { type: 'changed', changes: { email: 'm@shop.example', password: 'x' } },
    { type: 'tried' },
    { type: 'refused', failure },
  )
  expect(refused.values).toEqual({ email: 'm@shop.example', password: '' })
  expect(seen(refused)).toEqual({ password: 'is incorrect' })
  const again = formReducer<Values>(Login)(refused, { type: 'changed', changes: { password: 'y' } })
  const emptied = formReducer<Values>(Login)(again, { type: 'changed', changes: { password: '' } })
  expect(seen(emptied)).toEqual({})
  expect(seen(formReducer<Values>(Login)(emptied, { type: 'tried' }))).toEqual({ password: 'is required' })
})

test('an accepted form is clean, with what was accepted', () => {
  const form = after(typed('m@shop.example'), { type: 'tried' }, { type: 'sending' }, { type: 'accepted' })
  expect(form.clean).toEqual(form.values)
  expect(seen(form)).toEqual({})
})
