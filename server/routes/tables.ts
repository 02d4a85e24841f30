import type { Deps } from '../Deps.ts'
import { asActor } from '../http/handlers.ts'
import type { RoutesOf } from '../http/Route.ts'
import { branchChoices, denominationChoices, posUserChoices } from '../services/tables/filterChoices.ts'

export const tableRoutes = (deps: Deps): RoutesOf<'filter'> => ({
  'filter.denominations': asActor(deps, denominationChoices),
  'filter.branches': asActor(deps, branchChoices),
  'filter.posUsers': asActor(deps, posUserChoices),
})
