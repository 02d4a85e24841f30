import type { AnswerOf, Endpoint } from '../contract/endpoint.ts'
import { call, type InputOf } from './call.ts'

/** Calls without anything to say may leave the input out. A file is no call: `download` fetches it. */
type Calls<R extends Record<string, Endpoint>> = {
  [K in keyof R as R[K]['answer'] extends 'file' ? never : K]: Record<string, never> extends InputOf<R[K]>
    ? (input?: InputOf<R[K]>) => Promise<AnswerOf<R[K]>>
    : (input: InputOf<R[K]>) => Promise<AnswerOf<R[K]>>
}

/**
 * The typed calls of one resource, made from its part of the endpoint table: `resource({ datatable })` gives
 * `.datatable({ body })`. Extras of a resource are simply more entries.
 */
export function resource<const R extends Record<string, Endpoint>>(endpoints: R): Calls<R> {
  const calls = Object.entries(endpoints)
    .filter(([, { answer }]) => answer !== 'file')
    .map(([name, endpoint]) => [
      name,
      (input?: InputOf<Endpoint>) => call(endpoint, input ?? ({} as InputOf<Endpoint>)),
    ])
  return Object.fromEntries(calls) as Calls<R>
}
