import type { AnswerOf, Endpoint, ParamsOf, ParsedBodyOf, ParsedQueryOf } from '../../src/contract/endpoint.ts'
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
  /** Seconds since the person last did something, as the device tells. Absent on calls nobody asked for. */
  idleSeconds: number | undefined
}

export interface DataAnswer<D> {
  data: D
  headers?: AnswerHeaders
}

export interface FileAnswer {
  filename: string
  contentType: string
  /** Text travels as UTF-8. */
  pieces: AsyncGenerator<string | Uint8Array, void, void>
  /** Called when the file is read to its end, breaks off, or is dropped, even before its first piece. May be called again. */
  release(): Promise<void>
  headers?: AnswerHeaders
}

/** A list is sent as one header each: two cookies cannot share one. */
type AnswerHeaders = Record<string, string | string[]>

type Answer<E extends Endpoint> = E['answer'] extends 'file' ? FileAnswer : DataAnswer<AnswerOf<E>>
type Handle<C, E extends Endpoint> = (call: C) => Answer<E> | Promise<Answer<E>>

/** Whom `mount` identifies before the handler runs. */
export type Route<E extends Endpoint> =
  | { identify: 'nobody'; handle: Handle<Call<E>, E> }
  /** The token's signature only: for a statement that judges session and permission itself, in its one round trip. */
  | { identify: 'token'; handle: Handle<Call<E> & { claims: Claims }, E> }
  | { identify: 'actor'; handle: Handle<Call<E> & { actor: Actor }, E> }
  /** The actor, unless the body names a challenge or a setup, which vouches for the caller. */
  | { identify: 'challenge'; handle: Handle<Call<E> & { actor?: Actor }, E> }

/** An endpoint that is not public cannot be given a handler that asks for nobody. */
type RouteOf<E extends Endpoint> = E['access'] extends 'public' | 'expired token'
  ? Extract<Route<E>, { identify: 'nobody' }>
  : E['access'] extends 'challenge'
    ? Extract<Route<E>, { identify: 'challenge' }>
    : Extract<Route<E>, { identify: 'token' | 'actor' }>

/** An endpoint without a handler is a type error, and so is a handler without an endpoint. */
export type Routes = { [N in EndpointName]: RouteOf<(typeof ENDPOINTS)[N]> }

/** Those of the endpoints whose name begins with one of these words: `RoutesOf<'auth'>`. */
export type RoutesOf<N extends string> = Pick<Routes, Extract<keyof Routes, `${N}.${string}`>>
