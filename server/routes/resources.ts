import type { Deps } from '../Deps.ts'
import type { RoutesOf } from '../http/Route.ts'
import { downloadResource, resourceListing } from '../services/resources/resources.ts'
import { readPage } from '../services/tables/readTable.ts'

export const resourceFileRoutes = (deps: Deps): RoutesOf<'resources'> => ({
  'resources.datatable': {
    identify: 'actor',
    async handle({ actor, query: { start, limit, search_str, column, sort_type } }) {
      const order_by = [{ column, sort_type }]
      const query = { start, limit, search_str, order_by, other_params: [] }
      return { data: await readPage(deps, actor.scope, resourceListing(actor), query) }
    },
  },
  'resources.download': {
    identify: 'actor',
    async handle({ actor, body }) {
      return { ...(await downloadResource(deps, actor, body.guid)), release: () => Promise.resolve() }
    },
  },
})
