import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { authCode, enrolmentCode, recoveryCode } from './wireFields.ts'

const read = (schema: typeof recoveryCode | typeof authCode, typed: string) => {
  const parsed = v.safeParse(schema, typed)
  return parsed.success ? parsed.output : parsed.issues[0].message
}

describe('a code that people copy', () => {
  it.each([
    ['as it is shown', '0123-4567-89AB-CDEF'],
    ['in lower case, with spaces and a line break', ' 0123 4567 89ab cdef\n'],
    ['with the dashes of a word processor', '0123–4567—89AB‑CDEF'],
    ['with a minus and a soft space', '0123−4567\u00A089AB-CDEF'],
    ['with letters for the digits that they look like', 'OI23-4567-89AB-CDEF'],
    ['with small letters for them', 'ol23-4567-89ab-cdef'],
  ])('is taken %s', (_, typed) => expect(read(recoveryCode, typed)).toBe('0123456789ABCDEF'))

  it('is one code for a recovery and for a till, and no other letter is guessed', () => {
    expect(read(enrolmentCode, 'oiL1–22 33')).toBe('01112233')
    expect(read(recoveryCode, 'U123-4567-89AB-CDEF')).toBe('is not a recovery code')
    expect(read(authCode, '123–456')).toBe('123456')
  })
})
