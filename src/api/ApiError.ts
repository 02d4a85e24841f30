import type { ErrorCode, Failure, FieldIssue } from '../contract/envelope.ts'

/** Codes the transport itself gives, when the server said nothing a program can use. */
export type TransportCode = 'NETWORK' | 'TIMEOUT' | 'NOT_OUR_ANSWER'

/** Request Timeout and Too Many Requests. */
const TRANSIENT = [408, 429]

/**
 * The one rejection of the api layer (rule 12.3): `statusMessage` is the server's message, else the transport's; `statusCode`
 * defaults to 500. Callers switch on `code`.
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

  /** Our server did not answer: the connection is at fault, not the request, and asking again later can succeed. */
  get isConnectionFault(): boolean {
    return this.code === 'NETWORK' || this.code === 'TIMEOUT' || this.code === 'NOT_OUR_ANSWER'
  }

  /** Our server asks everybody for time, whatever the request is. */
  get isBusy(): boolean {
    return this.statusCode === 503 && this.retryAfterSeconds !== undefined
  }

  /** The same request may succeed later. A 401 is not here: it says who asks, not whether the request is good. */
  get isTransient(): boolean {
    return (
      this.isConnectionFault ||
      this.statusCode >= 500 ||
      TRANSIENT.includes(this.statusCode) ||
      this.code === 'VOUCHER_BUSY'
    )
  }

  /** The session is over. An expired token alone is not that: it can be refreshed. */
  get endsSession(): boolean {
    return this.statusCode === 401 && this.code !== 'TOKEN_EXPIRED'
  }

  get fields(): FieldIssue[] {
    return this.data.fields ?? []
  }
}
