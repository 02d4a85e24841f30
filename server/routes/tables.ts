import type { Deps } from '../Deps.ts'
import { asActor, asActorWithId, deleted } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { branchChoices, denominationChoices, posUserChoices } from '../services/tables/filterChoices.ts'
import { createView, listViews, removeView, setDefaultView, updateView } from '../services/views/views.ts'

type TableRoutes = Pick<Routes, Extract<keyof Routes, `views.${string}` | `filter.${string}`>>

export const tableRoutes = (deps: Deps): TableRoutes => ({
  'views.list': asActor(deps, listViews),
  'views.create': asActor(deps, createView),
  'views.update': asActorWithId(deps, updateView),
  'views.remove': asActorWithId(deps, removeView, deleted),
  'views.setDefault': asActor(deps, setDefaultView),
  'filter.denominations': asActor(deps, denominationChoices),
  'filter.branches': asActor(deps, branchChoices),
  'filter.posUsers': asActor(deps, posUserChoices),
})
