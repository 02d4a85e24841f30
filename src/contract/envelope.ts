import * as v from 'valibot'

/** One refused field: its path (`from`, `brands.0.name`), the broken rule, and a message. Never the value itself. */
export const FieldIssue = v.object({ path: v.string(), rule: v.string(), message: v.string() })

export type FieldIssue = v.InferOutput<typeof FieldIssue>

/** The facts that come with a code. `fields` is for a refused form; some codes add facts of their own. */
const FailureData = v.looseObject({ fields: v.optional(v.array(FieldIssue)) })

/** Every answer that is not 200 or 201 (rule 12.3). */
export const Failure = v.object({
  message: v.string(),
  error: v.string(),
  data: v.optional(FailureData, {}),
  request_id: v.string(),
})

export type Failure = v.InferOutput<typeof Failure>

/** Every 200 and 201 that is not a file: `{ data }`. */
export const success = <S extends v.GenericSchema>(data: S) => v.object({ data })

/**
 * Every error code, with the one status it is sent with (rule 12.4). 401 is only for a dead session or an expired token. A wrong password is 400, so
 * that no client takes it for a reason to log the user out.
 */
export const ERROR_STATUS = {
  MALFORMED_JSON: 400,
  INVALID_CREDENTIALS: 400,
  KEY_EXPIRED: 400,
  LINK_INVALID: 400,
  CHALLENGE_EXPIRED: 400,
  MFA_CODE_WRONG: 400,
  CAPTCHA_INVALID: 400,
  UPLOAD_INCOMPLETE: 400,
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
  REAUTH_REQUIRED: 403,
  CAPTCHA_REQUIRED: 403,
  UPLOAD_URL_INVALID: 403,
  BRANCH_CLOSED: 403,
  NOT_FOUND: 404,
  VOUCHER_UNKNOWN: 404,
  HOLD_UNKNOWN: 404,
  METHOD_NOT_ALLOWED: 405,
  REQUEST_TIMEOUT: 408,
  REQUEST_INCOMPLETE: 408,
  VOUCHER_ALREADY_USED: 409,
  VOUCHER_EXPIRED: 409,
  VOUCHER_REVOKED: 409,
  VOUCHER_BUSY: 409,
  VOUCHER_HELD: 409,
  HOLD_ENDED: 409,
  HOLD_LIMIT: 409,
  TILL_UNKNOWN: 409,
  TILL_NOT_ENROLLED: 409,
  TILL_REVOKED: 409,
  VOID_TOO_LATE: 409,
  PIN_NOT_SET: 409,
  ALREADY_ACTIVE: 409,
  INVALID_STATE: 409,
  STALE_REVISION: 409,
  IN_USE: 409,
  ACCOUNT_LIMIT_EXCEEDED: 409,
  REVIEW_DECIDED: 409,
  REVIEW_SUPERSEDED: 409,
  UPLOAD_EXISTS: 412,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  VALIDATION_FAILED: 422,
  START_TOO_DEEP: 422,
  DATE_RANGE_EXCEEDED: 422,
  IDEMPOTENCY_KEY_REUSED: 422,
  WRONG_PASSWORD: 422,
  PIN_REQUIRED: 422,
  PIN_WRONG: 422,
  ENROLMENT_CODE_WRONG: 422,
  NAME_TAKEN: 422,
  CODE_TAKEN: 422,
  INVALID_IMAGE: 422,
  INVALID_PDF: 422,
  UPLOAD_UNKNOWN: 422,
  TERMS_OUTDATED: 422,
  PASSWORD_REFUSED: 422,
  PASSWORD_REUSED: 422,
  PASSWORD_TOO_COMMON: 422,
  TOO_MANY_ATTEMPTS: 429,
  TOO_MANY_REPORTS: 429,
  INTERNAL: 500,
  DB_UNAVAILABLE: 503,
  STOPPING: 503,
  SERVER_BUSY: 503,
  STORE_UNAVAILABLE: 503,
  CAPTCHA_UNAVAILABLE: 503,
} as const

export type ErrorCode = keyof typeof ERROR_STATUS
