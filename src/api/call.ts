import type * as v from 'valibot'
import { myInfo } from '../contract/accounts/account.ts'
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '../contract/endpoint.ts'
import { ApiError } from './ApiError.ts'
import { basesNow } from './baseUrl.ts'
import { ports, type Bases } from './ports.ts'
import { liveToken, refreshToken } from './refresh.ts'
import { parseAnswer, send, type CallInput } from './transport.ts'

/**
 * Calls one endpoint of the contract and parses its answer with the schema that stands there. The input may be left out where
 * the endpoint needs none. Throws ApiError.
 */
export async function call<E extends JsonEndpoint>(endpoint: E, ...[input]: Arguments<E>): Promise<AnswerOf<E>> {
  return parseAnswer(endpoint, await sendSigned(endpoint, (input ?? {}) as CallInput))
}

/** A file is no call: `download` fetches it. */
type JsonEndpoint = Endpoint & { answer: v.GenericSchema }

type Arguments<E extends Endpoint> =
  Record<string, never> extends InputOf<E> ? [input?: InputOf<E>] : [input: InputOf<E>]

/** What a call of this very endpoint takes. */
type InputOf<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  Part<'body', BodyOf<E>> & { headers?: Record<string, string>; signal?: AbortSignal }

type Part<K extends string, T> = undefined extends T ? { [P in K]?: T } : { [P in K]: T }

/**
 * Sends with the session's token. If the token expired on the way, it is refreshed and the request sent again, once; any other
 * 401 ends the session. A call of the reporting service reads the profile first, and is not sent when that fails.
 */
export async function sendSigned(endpoint: Endpoint, input: CallInput): Promise<Response> {
  if (endpoint.access === 'public' || isKnownByBody(endpoint, input)) return send(endpoint, input, undefined)
  // Rule 12.7: a dead session is found before the reporting service prepares anything.
  if (endpoint.base === 'reporting') await call(myInfo, input.signal && { signal: input.signal })
  const token = await liveToken()
  try {
    return await send(endpoint, input, token)
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode !== 401) throw error
    if (error.code === 'TOKEN_EXPIRED') return replay(endpoint, input, token)
    ports().onUnauthorized(error, token)
    throw error
  }
}

/** During a challenge there is no token yet: `session` or `setup` in the body says who asks. A password beside it is that of a session. */
function isKnownByBody({ access }: Endpoint, { body }: CallInput): boolean {
  if (access !== 'challenge' || typeof body !== 'object' || body === null) return false
  return 'session' in body || ('setup' in body && !('encrypted_current_password' in body))
}

async function replay(endpoint: Endpoint, input: CallInput, stale: string): Promise<Response> {
  const token = await refreshToken(stale)
  try {
    return await send(endpoint, input, token)
  } catch (error) {
    if (error instanceof ApiError && error.statusCode === 401) ports().onUnauthorized(error, token)
    throw error
  }
}

type Profile = AnswerOf<typeof myInfo>

/**
 * Who a token belongs to, and at which bases. Asked before the token is stored, so that a login is complete or has not happened.
 * Throws ApiError.
 */
export async function profileOf(token: string): Promise<Profile & { session: Profile['session'] & { bases: Bases } }> {
  const bases = basesNow()
  const profile = await parseAnswer(myInfo, await send(myInfo, {}, token))
  return { ...profile, session: { ...profile.session, bases } }
}
