import { expect, test } from 'vitest'
import { ApiError } from '../../../api/ApiError.ts'
import type { ErrorCode } from '../../../contract/envelope.ts'
import { newPasswordFailure } from './newPasswordFailure.ts'

const refusal = (code: ErrorCode, path: string, message: string) =>
  new ApiError({ code, statusCode: 422, statusMessage: 'No.', data: { fields: [{ path, rule: 'rule', message }] } })

test.each([
  ['WRONG_PASSWORD', 'encrypted_current_password', 'current_password'],
  ['PASSWORD_REFUSED', 'encrypted_new_password', 'new_password'],
  ['PASSWORD_REUSED', 'encrypted_password', 'new_password'],
  ['PASSWORD_TOO_COMMON', 'encrypted_new_password', 'new_password'],
] as const)('%s at %s is said at %s', (code, wirePath, field) => {
  const failure = newPasswordFailure(refusal(code, wirePath, 'must be better'))
  expect(failure.fields).toEqual([{ path: field, message: 'must be better' }])
})

test('too many attempts come with their wait', () => {
  const error = new ApiError({
    code: 'TOO_MANY_ATTEMPTS',
    statusCode: 429,
    statusMessage: 'Wait.',
    retryAfterSeconds: 42,
  })
  expect(newPasswordFailure(error)).toMatchObject({ wait: { seconds: 42 } })
})

test('a connection that is down is named, and a bug is not hidden', () => {
  const down = new ApiError({ code: 'NETWORK', statusMessage: 'The server cannot be reached.' })
  expect(newPasswordFailure(down).message).toContain('needs a connection')
  const bug = new Error('a bug')
  expect(() => newPasswordFailure(bug)).toThrow(bug)
})
