import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { changePasswordForm, newPassword, newPasswordForm, passwordRules } from './passwords.ts'

const LOGIN = 'main@test.example'
const GOOD = 'Correct-Horse-2026!'

const complaintOf = (password: string, loginName = LOGIN) => {
  const parsed = v.safeParse(newPassword(loginName), password, { abortPipeEarly: true })
  return parsed.success ? undefined : parsed.issues[0].message
}

describe('a new password', () => {
  test.each([
    ['', 'is required'],
    ['Short-1', 'must be at least 12 characters'],
    ['correct-horse-2026!', 'must have an upper case letter'],
    ['CORRECT-HORSE-2026!', 'must have a lower case letter'],
    ['Correct-Horse-Battery!', 'must have a digit'],
    ['CorrectHorse 2026', 'must have a special character'],
    [`${GOOD}${'x'.repeat(128)}`, 'must be shorter than or equal to 128 characters'],
  ])('%j: %s', (password, message) => {
    expect(complaintOf(password)).toBe(message)
  })

  test('is not the login name, however it is written', () => {
    const named = 'Main-Account1@Test.Example'
    expect(complaintOf(` ${named} `, named.toLowerCase())).toBe('must not be the email address')
    expect(complaintOf('TAMPINES-till-1!', 'Tampines-Till-1!')).toBe('must not be the username')
  })

  test('counts characters as people do, and takes any of them', () => {
    expect(complaintOf(GOOD)).toBeUndefined()
    expect(complaintOf(`Aa1!${'\u{1F512}'.repeat(7)}`)).toBe('must be at least 12 characters')
    expect(complaintOf(`Aa1${'\u{1F512}'.repeat(125)}`)).toBeUndefined()
    expect(complaintOf('Ünïcödé-Größe-٤٢')).toBeUndefined()
  })

  test('every rule of the checklist can be met and broken', () => {
    for (const { rule } of passwordRules('', LOGIN)) {
      const met = (password: string) => passwordRules(password, LOGIN).find((entry) => entry.rule === rule)?.met
      expect([rule, met(GOOD), met(rule === 'not_login_name' ? LOGIN : '')]).toEqual([rule, true, false])
    }
  })
})

test('a repeat that differs is said at the repeat', () => {
  const parsed = v.safeParse(newPasswordForm(''), { new_password: GOOD, repeat_password: `${GOOD} ` })
  expect(parsed.issues?.map((issue) => [v.getDotPath(issue), issue.message])).toEqual([
    ['repeat_password', 'password does not match'],
  ])
})

test('the present password is not judged by the rules of new ones', () => {
  const typed = { current_password: 'old', new_password: GOOD, repeat_password: GOOD }
  expect(v.is(changePasswordForm(LOGIN), typed)).toBe(true)
  expect(v.is(changePasswordForm(LOGIN), { ...typed, current_password: '' })).toBe(false)
})
