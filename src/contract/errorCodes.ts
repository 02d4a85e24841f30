/**
 * Every code a failure may carry, with the one status it travels on (DESIGN §4). 401 is kept for a dead session or an
 * expired token: a wrong password is 400, so that no client ever mistakes it for a reason to log someone out.
 */
export const ERROR_STATUS = {
  MALFORMED_JSON: 400,
  INVALID_CREDENTIALS: 400,
  KEY_EXPIRED: 400,
  IDEMPOTENCY_KEY_REQUIRED: 400,
  LINK_INVALID: 400,
  TOKEN_MISSING: 401,
  TOKEN_INVALID: 401,
  TOKEN_EXPIRED: 401,
  TOKEN_REUSED: 401,
  BINDING_MISMATCH: 401,
  SESSION_EXPIRED: 401,
  SESSION_ENDED: 401,
  SESSION_TERMINATED: 401,
  FORBIDDEN: 403,
  ACCOUNT_GATED: 403,
  ACCOUNT_INACTIVE: 403,
  ACCOUNT_PENDING_ACTIVATION: 403,
  NOT_FOUND: 404,
  VOUCHER_UNKNOWN: 404,
  REDEMPTION_UNKNOWN: 404,
  METHOD_NOT_ALLOWED: 405,
  VOUCHER_ALREADY_USED: 409,
  VOUCHER_EXPIRED: 409,
  VOUCHER_REVOKED: 409,
  VOUCHER_BUSY: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_FAILED: 422,
  START_TOO_DEEP: 422,
  DATE_RANGE_EXCEEDED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  WRONG_PASSWORD: 422,
  PASSWORD_REFUSED: 422,
  PASSWORD_REUSED: 422,
  PASSWORD_TOO_COMMON: 422,
  TOO_MANY_ATTEMPTS: 429,
  TOO_MANY_REPORTS: 429,
  INTERNAL: 500,
  DB_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS

/** The session is over; an expired token alone is not that, for it can be refreshed. */
export const isSessionDead = (status: number, code: string | undefined) => status === 401 && code !== 'TOKEN_EXPIRED'
