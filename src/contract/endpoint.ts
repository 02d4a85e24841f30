import type * as v from 'valibot'
import type { Permission } from './accounts/permissions.ts'
import type { ErrorCode } from './envelope.ts'
import type { ListName } from './tables/lists.ts'

/**
 * The permitted callers: everyone; every live session, gated accounts included; or holders of one permission. `expired token` is only for the
 * refresh, which accepts a token past its exp (rule 4.3). `challenge` is for holders of the `session` or `setup` that the body names; if the body
 * names neither, for a live session.
 */
type Access = 'public' | 'session' | 'expired token' | 'challenge' | Permission

export interface Endpoint {
  base: 'api' | 'reporting'
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** The path below the base, with `:name` parameters. */
  path: string
  access: Access
  summary: string
  params?: v.GenericSchema
  query?: v.GenericSchema
  body?: v.GenericSchema
  /** The size limit of the body (server/http/readJsonBody.ts). Without `size`, it is `small` for callers who are not logged in, otherwise `form`. */
  size?: 'small' | 'sync' | 'form' | 'application' | 'batch'
  /** The schema of `data`, or the media types of a file. */
  answer: v.GenericSchema | FileOf
  /** The list behind a page of a table, with its columns and filters. */
  list?: ListName
  /** The names of headers that the call must carry besides Authorization. */
  headers?: readonly 'login-type'[]
  /** True for a call that reads files before it answers: on a busy server it may take longer than other calls. */
  slow?: true
  /** True for a large answer that seldom changes: the browser keeps it, and sends its ETag to ask for changes. */
  tagged?: true
  /** `till`: a till's call. Its header says whether a customer is waiting (server/services/queues.ts). */
  lane?: 'till'
  /** Error codes of this endpoint, besides those that every endpoint can give. */
  errors?: readonly ErrorCode[]
}

/** A file returned whole, of one of these media types. */
export interface FileOf {
  file: readonly string[]
}

/** The header with a file's size in bytes. A proxy that compresses removes Content-Length, and a file without its end would then look complete. */
export const FILE_SIZE_HEADER = 'x-file-size'

type Definition = Omit<Endpoint, 'base'> & Partial<Pick<Endpoint, 'base'>>

/**
 * Defines an endpoint. Its base is `api` unless `base` says otherwise. Keeps the literal types, so that a caller gets the exact types of the body and
 * the answer.
 */
// @__NO_SIDE_EFFECTS__
export function endpoint<const D extends Definition>(definition: D) {
  return { base: 'api', ...definition } as D & { base: D extends Pick<Endpoint, 'base'> ? D['base'] : 'api' }
}

type Output<S> = S extends v.GenericSchema ? v.InferOutput<S> : undefined
type Input<S> = S extends v.GenericSchema ? v.InferInput<S> : undefined

export type BodyOf<E extends Endpoint> = Input<E['body']>
export type ParsedBodyOf<E extends Endpoint> = Output<E['body']>
export type ParamsOf<E extends Endpoint> = Output<E['params']>
export type QueryOf<E extends Endpoint> = Input<E['query']>
export type ParsedQueryOf<E extends Endpoint> = Output<E['query']>
export type AnswerOf<E extends Endpoint> = E['answer'] extends v.GenericSchema ? v.InferOutput<E['answer']> : never
