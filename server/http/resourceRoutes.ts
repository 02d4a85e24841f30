import type { AnswerOf, ParsedBodyOf } from '../../src/contract/endpoint.ts'
import type { EndpointName, ENDPOINTS } from '../../src/contract/endpoints.ts'
import type { TableQuery } from '../../src/contract/tables/tableQuery.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from '../services/accounts/sessions/Actor.ts'
import { exportTable, readList, readPage, type Listing } from '../services/tables/readTable.ts'
import { asActor, asActorWithId, csvAnswer, deleted } from './handlers.ts'
import type { Routes } from './Route.ts'

type ResourceName = 'masters' | 'branches' | 'masterBranches' | 'adhocBranches' | 'posUsers'
type Operation = 'datatable' | 'export' | 'get' | 'create' | 'update' | 'remove' | 'list'
type Of<N extends ResourceName, O extends Operation> = (typeof ENDPOINTS)[`${N}.${O}` & EndpointName]

type ColumnOf<N extends ResourceName> = ParsedBodyOf<Of<N, 'datatable'>> extends TableQuery<infer C, string> ? C : never
type FilterOf<N extends ResourceName> = ParsedBodyOf<Of<N, 'datatable'>> extends TableQuery<string, infer F> ? F : never
type QueryOf<N extends ResourceName> = TableQuery<ColumnOf<N>, FilterOf<N>>
type RowOf<N extends ResourceName> = AnswerOf<Of<N, 'datatable'>>['rows'][number]
type RecordOf<N extends ResourceName> = Promise<AnswerOf<Of<N, 'get'>>>

/** What a resource of the generic pattern (rule 11.3) can do. It is told its `name`, for the three lists of branches share a service. */
interface ResourceService<N extends ResourceName, Found> {
  listing: Listing<Found, RowOf<N>, ColumnOf<N>, FilterOf<N>>
  /** Where the list for choices tells more than guid and name. */
  list?: (deps: Deps, actor: Actor) => Promise<AnswerOf<Of<N, 'list'>>>
  get: (deps: Deps, actor: Actor, id: string, name: N) => RecordOf<N>
  create: (deps: Deps, actor: Actor, body: ParsedBodyOf<Of<N, 'create'>>) => RecordOf<N>
  update: (deps: Deps, actor: Actor, id: string, body: ParsedBodyOf<Of<N, 'update'>>, name: N) => RecordOf<N>
  remove: (deps: Deps, actor: Actor, id: string, name: N) => Promise<void>
}

/** The seven routes of a resource. Types are checked where `service` is given; inside, the name is any. */
export function resourceRoutes<N extends ResourceName, Found>(deps: Deps, name: N, service: ResourceService<N, Found>) {
  const { listing, list } = service
  const routes: Record<Operation, unknown> = {
    datatable: asActor(deps, (_, { scope }, query: QueryOf<N>) => readPage(deps, scope, listing, query)),
    export: {
      identify: 'actor',
      handle: async ({ actor, body }: { actor: Actor; body: QueryOf<N> }) =>
        csvAnswer(await exportTable(deps, actor, listing, body)),
    },
    list: asActor(deps, list ?? ((_, { scope }) => readList(deps, scope, listing))),
    get: asActorWithId(deps, (_, actor, id) => service.get(deps, actor, id, name)),
    create: asActor(deps, service.create),
    update: asActorWithId(deps, (_, actor, id, body: ParsedBodyOf<Of<N, 'update'>>) =>
      service.update(deps, actor, id, body, name),
    ),
    remove: asActorWithId(deps, (_, actor, id) => service.remove(deps, actor, id, name), deleted),
  }
  const named = Object.entries(routes).map(([operation, route]) => [`${name}.${operation}`, route])
  return Object.fromEntries(named) as Pick<Routes, `${N}.${Operation}`>
}
