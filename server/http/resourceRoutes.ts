import type { AnswerOf, ParsedBodyOf } from '../../src/contract/endpoint.ts'
import type { EndpointName, ENDPOINTS } from '../../src/contract/endpoints.ts'
import type { ListName } from '../../src/contract/tables/lists.ts'
import type { TableQuery } from '../../src/contract/tables/tableQuery.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from '../services/accounts/sessions/Actor.ts'
import { exportTable, readPage, type Listing } from '../services/tables/readTable.ts'
import { asActor, asActorWithId, csvAnswer, deleted } from './handlers.ts'
import type { Routes } from './Route.ts'

type ResourceName = 'masters' | 'branches' | 'masterBranches' | 'adhocBranches' | 'posUsers'
type Operation = 'datatable' | 'export' | 'get' | 'create' | 'update' | 'remove' | 'list'
type TableName = EndpointName extends infer N ? (N extends `${infer T}.export` ? T : never) : never
type EndpointOf<N extends string, O extends Operation> = (typeof ENDPOINTS)[`${N}.${O}` & EndpointName]

type ListOf<N extends string> = EndpointOf<N, 'datatable'> extends { list: infer L extends ListName } ? L : never
type RowOf<N extends string> = AnswerOf<EndpointOf<N, 'datatable'>>['rows'][number]
type RecordOf<N extends ResourceName> = Promise<AnswerOf<EndpointOf<N, 'get'>>>

/** The routes for a list's table and its export. Types are checked where the listing is given; inside, any name is allowed. */
export function listRoutes<N extends TableName, Found>(
  deps: Deps,
  name: N,
  listingFor: (actor: Actor) => Listing<Found, RowOf<N>, ListOf<N>>,
) {
  const routes: Record<string, unknown> = {
    [`${name}.datatable`]: asActor(deps, (_, actor, query: TableQuery<ListOf<N>>) =>
      readPage(deps, actor.scope, listingFor(actor), query),
    ),
    [`${name}.export`]: {
      identify: 'actor',
      handle: async ({ actor, body }: { actor: Actor; body: TableQuery<ListOf<N>> }) =>
        csvAnswer(await exportTable(deps, actor, listingFor(actor), body)),
    },
  }
  return routes as Pick<Routes, `${N}.${'datatable' | 'export'}` & EndpointName>
}

/** The operations of a resource of the generic pattern (rule 11.3). */
interface ResourceService<N extends ResourceName, Found> {
  listing: Listing<Found, RowOf<N>, ListOf<N>>
  /** The choices for a select field. */
  list: (deps: Deps, actor: Actor) => Promise<AnswerOf<EndpointOf<N, 'list'>>>
  get: (deps: Deps, actor: Actor, id: string) => RecordOf<N>
  create: (deps: Deps, actor: Actor, body: ParsedBodyOf<EndpointOf<N, 'create'>>) => RecordOf<N>
  update: (deps: Deps, actor: Actor, id: string, body: ParsedBodyOf<EndpointOf<N, 'update'>>) => RecordOf<N>
  remove: (deps: Deps, actor: Actor, id: string) => Promise<void>
}

/** The seven routes of a resource. */
export function resourceRoutes<N extends ResourceName, Found>(deps: Deps, name: N, service: ResourceService<N, Found>) {
  const routes: Record<Exclude<Operation, 'datatable' | 'export'>, unknown> = {
    list: asActor(deps, service.list),
    get: asActorWithId(deps, service.get),
    create: asActor(deps, service.create),
    update: asActorWithId(deps, service.update),
    remove: asActorWithId(deps, service.remove, deleted),
  }
  const named = Object.entries(routes).map(([operation, route]) => [`${name}.${operation}`, route])
  const list = listRoutes(deps, name, () => service.listing)
  return { ...list, ...Object.fromEntries(named) } as Pick<Routes, `${N}.${Operation}`>
}
