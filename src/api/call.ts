import type * as v from 'valibot'
import { myInfo } from '../contract/accounts/account.ts'
import type { AnswerOf, BodyOf, Endpoint, ParamsOf, QueryOf } from '../contract/endpoint.ts'
import { ApiError } from './ApiError.ts'
import { baseUrlsNow } from './baseUrl.ts'
import { ports, type BaseUrls } from './ports.ts'
import { liveToken, refreshToken } from './refresh.ts'
import { parseAnswer, send, type CallInput } from './transport.ts'

/**
 * Calls one endpoint of the contract and parses its answer with the endpoint's schema. The input may be left out if the endpoint
 * needs none. Throws ApiError.
 */
export async function call<E extends JsonEndpoint>(endpoint: E, ...[input]: Arguments<E>): Promise<AnswerOf<E>> {
  return parseAnswer(endpoint, await sendWithToken(endpoint, (input ?? {}) as CallInput))
}

/** An endpoint that answers JSON. A file is fetched by `download`. */
type JsonEndpoint = Endpoint & { answer: v.GenericSchema }

type Arguments<E extends Endpoint> =
  Record<string, never> extends InputOf<E> ? [input?: InputOf<E>] : [input: InputOf<E>]

/** The input of a call of this endpoint. */
type InputOf<E extends Endpoint> = Part<'params', ParamsOf<E>> &
  Part<'query', QueryOf<E>> &
  Part<'body', BodyOf<E>> & { headers?: Record<string, string>; signal?: AbortSignal }

type Part<K extends string, T> = undefined extends T ? { [P in K]?: T } : { [P in K]: T }

/**
 * Sends a request with the session's token. If the token expired on the way, refreshes it and sends once more; any other 401 ends
 * the session. A call of the reporting service first reads the profile, and is not sent if that fails.
 */
export async function sendWithToken(endpoint: Endpoint, input: CallInput): Promise<Response> {
  if (endpoint.access === 'public' || identifiesUser(endpoint, input)) return send(endpoint, input, undefined)
  // Rule 12.7: a dead session is found before the reporting service prepares anything.
  if (endpoint.base === 'reporting') await call(myInfo, input.signal && { signal: input.signal })
  const token = await liveToken()
  try {
    return await send(endpoint, input, token)
  } catch (error) {
    if (!(error instanceof ApiError) || error.statusCode !== 401) throw error
    if (error.code === 'TOKEN_EXPIRED') return sendAgain(endpoint, input, token)
    ports().onUnauthorized(error, token)
    throw error
  }
}

/**
 * True if the body identifies the user: during a challenge there is no token yet, but a `session` or a `setup`. A `setup` beside the
 * current password comes from a user with a session.
 */
function identifiesUser({ access }: Endpoint, { body }: CallInput): boolean {
  if (access !== 'challenge' || typeof body !== 'object' || body === null) return false
  return 'session' in body || ('setup' in body && !('encrypted_current_password' in body))
}

async function sendAgain(endpoint: Endpoint, input: CallInput, stale: string): Promise<Response> {
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
 * Reads the user and the session of a token, and adds the addresses of the services. Called before the token is stored, so that a
 * login is complete or has not happened. Throws ApiError.
 */
export async function readProfile(
  token: string,
): Promise<Profile & { session: Profile['session'] & { baseUrls: BaseUrls } }> {
  const baseUrls = baseUrlsNow()
  const profile = await parseAnswer(myInfo, await send(myInfo, {}, token))
  return { ...profile, session: { ...profile.session, baseUrls } }
}
