import type { ErrorCode, Failure, FieldIssue } from '../contract/envelope.ts'

/** Codes that the transport itself gives, when the server's answer is missing or unreadable. */
export type TransportCode = 'NETWORK' | 'TIMEOUT' | 'CUT_OFF' | 'NOT_OUR_ANSWER'

const CONNECTION_FAULTS: readonly string[] = ['NETWORK', 'TIMEOUT', 'CUT_OFF', 'NOT_OUR_ANSWER']

/** The statuses Request Timeout and Too Many Requests. */
const TRANSIENT = [408, 429]

/**
 * The only error that the api layer throws (rule 12.3): `statusMessage` is the server's message, and without an answer the
 * transport's; `statusCode` defaults to 500. Callers switch on `code`.
 */
export class ApiError extends Error {
  override name = 'ApiError' as const
  readonly statusMessage: string
  readonly statusCode: number
  readonly data: Failure['data']
  readonly code: ErrorCode | TransportCode
  readonly requestId: string | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(facts: {
    statusMessage: string
    statusCode?: number
    data?: Failure['data']
    code: ErrorCode | TransportCode
    requestId?: string | undefined
    retryAfterSeconds?: number | undefined
    cause?: unknown
  }) {
    super(facts.statusMessage, { cause: facts.cause })
    this.statusMessage = facts.statusMessage
    this.statusCode = facts.statusCode ?? 500
    this.data = facts.data ?? {}
    this.code = facts.code
    this.requestId = facts.requestId
    this.retryAfterSeconds = facts.retryAfterSeconds
  }

  /** True when our server did not answer: the connection failed, not the request, and asking again later can succeed. */
  get isConnectionFault(): boolean {
    return CONNECTION_FAULTS.includes(this.code)
  }

  /** True when our server asks all clients to wait, no matter what they ask for. */
  get isBusy(): boolean {
    return this.statusCode === 503 && this.retryAfterSeconds !== undefined
  }

  /** True when the same request may succeed later. A 401 is not included: it is about the user, not about the request. */
  get isTransient(): boolean {
    return (
      this.isConnectionFault ||
      this.statusCode >= 500 ||
      TRANSIENT.includes(this.statusCode) ||
      this.code === 'VOUCHER_BUSY'
    )
  }

  /** True when the session is over. An expired token alone does not end it: it can be refreshed. */
  get endsSession(): boolean {
    return this.statusCode === 401 && this.code !== 'TOKEN_EXPIRED'
  }

  get fields(): FieldIssue[] {
    return this.data.fields ?? []
  }
}
