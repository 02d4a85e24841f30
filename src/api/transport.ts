import type { KyInstance } from 'ky'
import * as v from 'valibot'
import type { AnswerOf, Endpoint } from '../contract/endpoint.ts'
import { ERROR_STATUS, Failure, success, type ErrorCode } from '../contract/envelope.ts'
import { within } from '../domain/within.ts'
import { ApiError } from './ApiError.ts'
import { baseUrl } from './baseUrl.ts'
import { ports, type Base } from './ports.ts'

export interface CallInput {
  params?: unknown
  query?: unknown
  body?: unknown
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Every request has a time limit (rule 15.2). A report's first byte may take longer. The outbox retries reports; ky does not. */
const TIMEOUT_MS = { data: 8_000, slow: 30_000, file: 120_000 } as const
/** The limit of a GET with its second attempt and the pause before it. */
const TOTAL_MS = 12_000
/** An answer that took longer makes us probe the connection. */
const LATE_MS = 3_000

/**
 * Sends once and returns the answer if it is a 200 or 201. Throws ApiError for everything else, also for an answer without our
 * envelope, as a captive portal sends it.
 */
export async function send(endpoint: Endpoint, input: CallInput, token: string | undefined): Promise<Response> {
  const response = await ports().runRequest(() => fetchAnswer(endpoint, input, token))
  if (response.status === 200 || response.status === 201) {
    device.readAnswer(response)
    return response
  }
  throw await readFailure(response)
}

/** Loads ky with the first call: /login is drawn and usable before any request. */
const loadKy = async () => (ky = (await import('ky')).default)

/** The loaded ky: an `import()` would take a turn of the event loop in each call, even when the module is loaded. */
let ky: KyInstance | undefined

async function fetchAnswer(endpoint: Endpoint, input: CallInput, token: string | undefined): Promise<Response> {
  const kind = 'file' in endpoint.answer ? 'file' : endpoint.slow ? 'slow' : 'data'
  const began = performance.now()
  try {
    const request = ky ?? (await loadKy())
    const response = await request(makeUrl(endpoint, input), {
      method: endpoint.method,
      headers: makeHeaders(endpoint, input, token),
      json: input.body,
      signal: input.signal ?? null,
      credentials: 'include',
      cache: endpoint.tagged ? 'no-cache' : 'no-store',
      timeout: TIMEOUT_MS[kind],
      totalTimeout: kind === 'data' && TOTAL_MS,
      // A GET may be sent twice; the owner of the idempotency key repeats other requests.
      retry: { limit: endpoint.method === 'GET' ? 1 : 0, methods: ['get'], statusCodes: [502, 504], jitter: true },
      throwHttpErrors: false,
    })
    if (kind === 'data' && performance.now() - began > LATE_MS) ports().onContact('late')
    return response
  } catch (cause) {
    if (input.signal?.aborted && !isOutOfTime(input.signal.reason)) throw cause
    throw makeUnanswered(isOutOfTime(cause) ? 'TIMEOUT' : 'NETWORK', cause)
  }
}

const isOutOfTime = (cause: unknown) => (cause as Error | undefined)?.name === 'TimeoutError'

/** Returns the answer's `data`, parsed with the endpoint's schema. Throws ApiError when something other than our server answered. */
export async function parseAnswer<E extends Endpoint>(endpoint: E, response: Response): Promise<AnswerOf<E>> {
  const schema = endpoint.answer as v.GenericSchema
  const parsed = v.safeParse(success(schema), await readBody(response))
  ports().onContact(parsed.success ? 'ours' : 'foreign')
  if (!parsed.success) throw notOurAnswer()
  return parsed.output.data as AnswerOf<E>
}

/** Returns the body as JSON, or `undefined` if it is not JSON. The body has the same time limit as the head. Throws ApiError. */
async function readBody(response: Response): Promise<unknown> {
  return within(
    TIMEOUT_MS.data,
    response.json().catch(() => undefined),
    () => {
      throw makeUnanswered('TIMEOUT')
    },
  )
}

function makeUnanswered(code: 'NETWORK' | 'TIMEOUT', cause?: unknown): ApiError {
  ports().onContact('silent')
  const statusMessage = code === 'TIMEOUT' ? 'The server did not answer in time.' : 'The server cannot be reached.'
  return new ApiError({ statusMessage, code, cause })
}

function makeUrl(endpoint: Endpoint, { params, query }: CallInput): string {
  const values = (params ?? {}) as Record<string, string>
  const path = endpoint.path.replaceAll(/:(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const search = query ? `?${new URLSearchParams(query as Record<string, string>).toString()}` : ''
  return baseUrl(endpoint.base) + path + search
}

/** Headers that a device adds to its requests, and what it reads from the answers. Empty until src/start/reportDevice.ts connects it. */
export interface DevicePorts {
  headers: (base: Base) => Record<string, string>
  readAnswer: (response: Response) => void
}

export let device: DevicePorts = { headers: () => ({}), readAnswer: () => undefined }

export const connectDevice = (ports: DevicePorts): void => void (device = ports)

function makeHeaders(endpoint: Endpoint, input: CallInput, token: string | undefined): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}`, 'idle-seconds': String(ports().idleSeconds()) }),
    // Rule 12.7: the reporting service knows only one login type.
    ...(endpoint.base === 'reporting' ? { 'login-type': 'MERCHANT' } : {}),
    ...device.headers(endpoint.base),
    ...input.headers,
  }
}

/** True for our server's own failure. A 511 comes from a network that wants a login (RFC 6585). */
export const isServerFault = ({ status }: Response): boolean => status >= 500 && status !== 511

/** Returns the failure of rule 12.3, or NOT_OUR_ANSWER when something other than our server answered. */
async function readFailure(response: Response): Promise<ApiError> {
  const parsed = v.safeParse(Failure, await readBody(response))
  if (!parsed.success) {
    ports().onContact(isServerFault(response) ? 'fault' : 'foreign')
    return notOurAnswer(response.status)
  }
  const { message, error, data, request_id } = parsed.output
  const failure = new ApiError({
    statusMessage: message,
    statusCode: response.status,
    data,
    code: knownCode(error),
    requestId: request_id,
    retryAfterSeconds: readRetryAfterSeconds(response),
  })
  if (failure.isBusy) ports().onContact('busy', failure.retryAfterSeconds! * 1000)
  else ports().onContact(isServerFault(response) ? 'fault' : 'ours')
  return failure
}

/** Returns the code. A later server may have codes that this app does not know. */
const knownCode = (error: string): ErrorCode => (Object.hasOwn(ERROR_STATUS, error) ? (error as ErrorCode) : 'INTERNAL')

export function readRetryAfterSeconds({ headers }: Response): number | undefined {
  const seconds = Number(headers.get('retry-after'))
  return seconds > 0 ? seconds : undefined
}

export function notOurAnswer(statusCode?: number): ApiError {
  const statusMessage = 'Something other than the portal answered. Please try again.'
  return new ApiError({ statusMessage, code: 'NOT_OUR_ANSWER', ...(statusCode === undefined ? {} : { statusCode }) })
}
