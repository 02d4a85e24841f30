import type { AnswerOf, ParsedBodyOf } from '../../src/contract/endpoint.ts'
import type { EndpointName, ENDPOINTS } from '../../src/contract/endpoints.ts'
import type { Actor } from '../services/accounts/sessions/Actor.ts'
import type { Export } from '../services/tables/readTable.ts'
import { csvAnswer } from './fileResponse.ts'
import type { Routes } from './Route.ts'

type ResourceName = 'masters' | 'branches' | 'masterBranches' | 'adhocBranches' | 'posUsers'
type Operation = 'datatable' | 'export' | 'get' | 'create' | 'update' | 'remove' | 'list'
type Of<N extends ResourceName, O extends Operation> = (typeof ENDPOINTS)[`${N}.${O}` & EndpointName]

type QueryOf<N extends ResourceName> = ParsedBodyOf<Of<N, 'datatable'>>
type RecordOf<N extends ResourceName> = Promise<AnswerOf<Of<N, 'get'>>>

/** What a resource of the generic pattern (rule 11.3) can do, for one actor. */
export interface ResourceService<N extends ResourceName> {
  page(actor: Actor, query: QueryOf<N>): Promise<AnswerOf<Of<N, 'datatable'>>>
  export(actor: Actor, query: QueryOf<N>): Promise<Export>
  list(actor: Actor): Promise<AnswerOf<Of<N, 'list'>>>
  get(actor: Actor, id: string): RecordOf<N>
  create(actor: Actor, body: ParsedBodyOf<Of<N, 'create'>>): RecordOf<N>
  update(actor: Actor, id: string, body: ParsedBodyOf<Of<N, 'update'>>): RecordOf<N>
  remove(actor: Actor, id: string): Promise<void>
}

interface AnyCall {
  actor: Actor
  params: { id: string }
  body: never
}

/** The seven routes of a resource. Their types are settled where `service` is given, for here the name is any. */
export function resourceRoutes<N extends ResourceName>(name: N, service: ResourceService<N>) {
  const routes: Record<Operation, (call: AnyCall) => unknown> = {
    datatable: async ({ actor, body }) => ({ data: await service.page(actor, body) }),
    export: async ({ actor, body }) => csvAnswer(await service.export(actor, body)),
    list: async ({ actor }) => ({ data: await service.list(actor) }),
    get: async ({ actor, params }) => ({ data: await service.get(actor, params.id) }),
    create: async ({ actor, body }) => ({ data: await service.create(actor, body) }),
    update: async ({ actor, params, body }) => ({ data: await service.update(actor, params.id, body) }),
    async remove({ actor, params }) {
      await service.remove(actor, params.id)
      return { data: { deleted: true } }
    },
  }
  const named = Object.entries(routes).map(([operation, handle]) => [
    `${name}.${operation}`,
    { identify: 'actor', handle },
  ])
  return Object.fromEntries(named) as Pick<Routes, `${N}.${Operation}`>
}
