import type { Deps } from '../Deps.ts'
import type { Actor, Caller } from '../services/accounts/sessions/Actor.ts'
import type { Export } from '../services/tables/readTable.ts'
import type { DataAnswer, FileAnswer } from './Route.ts'

type ToData<Result, Data> = (result: Result) => Data

/** Passes the actor and the body to a service. `toData` converts the result where the answer differs from it. */
export const asActor = <Body, Result, const Data = Result>(
  deps: Deps,
  service: (deps: Deps, actor: Actor, body: Body) => Result | Promise<Result>,
  toData?: ToData<Result, Data>,
) => ({
  identify: 'actor' as const,
  handle: async ({ actor, body }: { actor: Actor; body: Body }): Promise<DataAnswer<Data>> =>
    toAnswer(await service(deps, actor, body), toData),
})

/** Does the same for one record, whose id is in the path. */
export const asActorWithId = <Body, Result, const Data = Result>(
  deps: Deps,
  service: (deps: Deps, actor: Actor, id: string, body: Body) => Result | Promise<Result>,
  toData?: ToData<Result, Data>,
) => ({
  identify: 'actor' as const,
  handle: async ({ actor, params, body }: { actor: Actor; params: { id: string }; body: Body }) =>
    toAnswer<Result, Data>(await service(deps, actor, params.id, body), toData),
})

/** Passes the body and the caller to a service that needs no login. */
export const asAnybody = <Body, Result, const Data = Result>(
  deps: Deps,
  service: (deps: Deps, body: Body, caller: Caller) => Result | Promise<Result>,
  toData?: ToData<Result, Data>,
) => ({
  identify: 'nobody' as const,
  handle: async ({ body, caller }: { body: Body; caller: Caller }) =>
    toAnswer<Result, Data>(await service(deps, body, caller), toData),
})

const toAnswer = <Result, Data>(result: Result, toData?: ToData<Result, Data>): DataAnswer<Data> => ({
  data: toData ? toData(result) : (result as unknown as Data),
})

/** Answers of calls that only confirm. */
export const accepted = () => ({ accepted: true }) as const
export const changed = () => ({ changed: true }) as const
export const deleted = () => ({ deleted: true }) as const
export const noted = () => ({ noted: true }) as const
export const sent = () => ({ sent: true }) as const

/** Answers with an export as a CSV file. */
export const csvAnswer = (file: Export): FileAnswer => ({ ...file, contentType: 'text/csv; charset=utf-8' })
