import type { AnswerOf, Endpoint } from '../contract/endpoint.ts'
import { call, type InputOf } from './call.ts'

type DataEndpoint = Endpoint & { answer: Exclude<Endpoint['answer'], 'file'> }

/** Calls without anything to say may leave the input out. */
type Calls<R extends Record<string, DataEndpoint>> = {
  [K in keyof R]: Record<string, never> extends InputOf<R[K]>
    ? (input?: InputOf<R[K]>) => Promise<AnswerOf<R[K]>>
    : (input: InputOf<R[K]>) => Promise<AnswerOf<R[K]>>
}

/**
 * The typed calls of one resource, made from its part of the endpoint table: `resource({ datatable })` gives
 * `.datatable({ body })`. Extras of a resource are simply more entries.
 */
export function resource<const R extends Record<string, DataEndpoint>>(endpoints: R): Calls<R> {
  const calls = Object.entries(endpoints).map(([name, endpoint]) => [
    name,
    (input?: InputOf<DataEndpoint>) => call(endpoint, input ?? ({} as InputOf<DataEndpoint>)),
  ])
  return Object.fromEntries(calls) as Calls<R>
}
