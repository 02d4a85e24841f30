import type { Deps } from '../Deps.ts'
import { asActor } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { branchChoices, denominationChoices, posUserChoices } from '../services/tables/filterChoices.ts'

type TableRoutes = Pick<Routes, Extract<keyof Routes, `filter.${string}`>>

export const tableRoutes = (deps: Deps): TableRoutes => ({
  'filter.denominations': asActor(deps, denominationChoices),
  'filter.branches': asActor(deps, branchChoices),
  'filter.posUsers': asActor(deps, posUserChoices),
})
