import type { AnswerOf, Endpoint, FileOf, ParamsOf, ParsedBodyOf, ParsedQueryOf } from '../../src/contract/endpoint.ts'
import type { EndpointName, ENDPOINTS } from '../../src/contract/endpoints.ts'
import type { Claims } from '../services/accounts/sessions/accessTokens.ts'
import type { Actor, Caller } from '../services/accounts/sessions/Actor.ts'

type HeadersOf<E extends Endpoint> = E['headers'] extends readonly (infer H extends string)[]
  ? Record<H, string>
  : object

/** One request, read and checked by the endpoint's own schemas. */
export interface Call<E extends Endpoint> {
  params: ParamsOf<E>
  query: ParsedQueryOf<E>
  body: ParsedBodyOf<E>
  headers: HeadersOf<E>
  credentials: Credentials
  caller: Caller
}

export interface Credentials {
  bearer: string | undefined
  /** The cookie that binds the refresh to this browser. */
  binding: string | undefined
  /** Seconds since the user's last action, as the device reports. Absent on calls that no user caused. */
  idleSeconds: number | undefined
}

export interface DataAnswer<D> {
  data: D
  headers?: AnswerHeaders
}

export interface FileAnswer {
  filename: string
  contentType: string
  /**
   * The bytes of the whole file. A file without `size` is streamed, and its content shows where it ends: a CSV by `END_LINE`, a workbook by the end
   * of its zip.
   */
  size?: number
  /** Text is sent as UTF-8. */
  pieces: AsyncGenerator<string | Uint8Array, void, void>
  /** Called when the file was read completely, breaks off, or is dropped, even before its first piece. It may be called more than once. */
  release(): Promise<void>
  headers?: AnswerHeaders
}

/** A list is sent as one header per value: two cookies cannot share one. */
type AnswerHeaders = Record<string, string | string[]>

type Answer<E extends Endpoint> = E['answer'] extends FileOf ? FileAnswer : DataAnswer<AnswerOf<E>>
type Handle<C, E extends Endpoint> = (call: C) => Answer<E> | Promise<Answer<E>>

/** The identity that `mount` checks before the handler runs. */
export type Route<E extends Endpoint> =
  | { identify: 'nobody'; handle: Handle<Call<E>, E> }
  /** Checks only the token's signature: for a statement that checks session and permission itself, in its one round trip. */
  | { identify: 'token'; handle: Handle<Call<E> & { claims: Claims }, E> }
  | { identify: 'actor'; handle: Handle<Call<E> & { actor: Actor }, E> }
  /** Identifies the actor, unless the body names a challenge or a setup, which identifies the caller. */
  | { identify: 'challenge'; handle: Handle<Call<E> & { actor?: Actor }, E> }

/** A type error if an endpoint that is not public has a handler without identification. */
type RouteOf<E extends Endpoint> = E['access'] extends 'public' | 'expired token'
  ? Extract<Route<E>, { identify: 'nobody' }>
  : E['access'] extends 'challenge'
    ? Extract<Route<E>, { identify: 'challenge' }>
    : Extract<Route<E>, { identify: 'token' | 'actor' }>

/** An endpoint without a handler is a type error, and so is a handler without an endpoint. */
export type Routes = { [N in EndpointName]: RouteOf<(typeof ENDPOINTS)[N]> }

/** The routes of endpoints whose name begins with one of these words: `RoutesOf<'auth'>`. */
export type RoutesOf<N extends string> = Pick<Routes, Extract<keyof Routes, `${N}.${string}`>>
