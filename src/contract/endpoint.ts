import type * as v from 'valibot'
import type { Permission } from './accounts/permissions.ts'
import type { ErrorCode } from './envelope.ts'
import type { ListName } from './tables/lists.ts'

/**
 * Who may call: anyone; anyone with a live session, gated accounts included; or holders of one permission. `expired token`
 * is the refresh alone, which takes a token past its exp (rule 4.3). `challenge`: whoever holds the `session` or `setup` that
 * the body names; where it names none, a live session.
 */
type Access = 'public' | 'session' | 'expired token' | 'challenge' | Permission

export interface Endpoint {
  base: 'api' | 'reporting'
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below the base, with `:name` parameters. */
  path: string
  access: Access
  summary: string
  params?: v.GenericSchema
  query?: v.GenericSchema
  body?: v.GenericSchema
  /** How much a body may be (server/http/readJsonBody.ts). Without it `small` where nobody has logged in, else `form`. */
  size?: 'small' | 'sync' | 'form' | 'application' | 'batch'
  /** The schema of `data`, or a file returned whole. */
  answer: v.GenericSchema | 'file'
  /** The list behind a page of a table, with its columns and filters. */
  list?: ListName
  /** Header names the call must carry beyond Authorization. */
  headers?: readonly 'login-type'[]
  /** Reads files before it answers: on a busy server that takes longer than other calls may. */
  slow?: true
  /** Large and seldom another: the browser keeps the answer, and asks by its tag whether it is still so. */
  tagged?: true
  /** A call of a counter, or of a backlog for which nobody waits, as its header says (server/services/queues.ts). */
  lane?: 'till'
  /** Codes of its own, beyond those every endpoint can give. */
  errors?: readonly ErrorCode[]
}

type Definition = Omit<Endpoint, 'base'> & Partial<Pick<Endpoint, 'base'>>

/**
 * An endpoint of the portal's backend, unless it says otherwise. Keeps the literal types, so that a caller of `voucher.redeem` gets its
 * very body and answer.
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
