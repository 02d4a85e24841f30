import { describe, expect, it } from 'vitest'
import { ERROR_STATUS, type ErrorCode } from '../contract/envelope.ts'
import { ApiError } from './ApiError.ts'
import { outcomeOf } from './outcomeOf.ts'

const fails = (code: ConstructorParameters<typeof ApiError>[0]['code'], given: { retryAfterSeconds?: number } = {}) =>
  outcomeOf(() => {
    const statusCode = code in ERROR_STATUS ? ERROR_STATUS[code as ErrorCode] : 500
    return Promise.reject(new ApiError({ statusMessage: `words for ${code}`, statusCode, code, ...given }))
  })

describe('what came of a request that a queue sent', () => {
  it('is the answer', async () => {
    expect(await outcomeOf(async () => 7)).toEqual({ kind: 'done', answer: 7 })
  })

  it.each(['TOKEN_EXPIRED', 'TOKEN_MISSING', 'SESSION_ENDED', 'SESSION_TERMINATED'] as const)(
    'waits for a login after %s: it says who asks, not whether the request is good',
    async (code) => {
      expect(await fails(code)).toEqual({ kind: 'logIn', message: `words for ${code}` })
    },
  )

  it.each(['NETWORK', 'TIMEOUT', 'NOT_OUR_ANSWER'] as const)('is worth another try after %s', async (code) => {
    expect(await fails(code)).toEqual({ kind: 'later', connectionFailed: true, message: `words for ${code}` })
  })

  it('asks to be left alone by everything when the server is busy', async () => {
    const busy = new ApiError({ statusMessage: 'busy', statusCode: 503, code: 'SERVER_BUSY', retryAfterSeconds: 7 })
    expect(await outcomeOf(() => Promise.reject(busy))).toEqual({
      kind: 'later',
      connectionFailed: false,
      isBusy: true,
      message: 'busy',
      retryAfterMs: 7_000,
    })
  })

  it.each(['INTERNAL', 'REQUEST_TIMEOUT', 'TOO_MANY_ATTEMPTS', 'VOUCHER_BUSY'] as const)(
    'is worth another try after %s, which is the server’s and not the connection’s',
    async (code) => {
      expect(await fails(code, { retryAfterSeconds: 7 })).toEqual({
        kind: 'later',
        connectionFailed: false,
        message: `words for ${code}`,
        retryAfterMs: 7_000,
      })
    },
  )

  it.each(['FORBIDDEN', 'NOT_FOUND', 'HOLD_ENDED', 'VALIDATION_FAILED'] as const)('is final after %s', async (code) => {
    expect(await fails(code)).toEqual({
      kind: 'refused',
      refused: { code, message: `words for ${code}`, data: {} },
    })
  })

  it('takes the 401 of a network’s own login page for a failed connection, not for an ended session', async () => {
    const foreign = new ApiError({ statusMessage: 'words', statusCode: 401, code: 'NOT_OUR_ANSWER' })
    expect(await outcomeOf(() => Promise.reject(foreign))).toMatchObject({ kind: 'later', connectionFailed: true })
  })

  it('is no news when the code itself is broken', async () => {
    await expect(outcomeOf(() => Promise.reject(new TypeError('no such thing')))).rejects.toThrow('no such thing')
  })
})
