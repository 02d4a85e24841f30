import type { Deps } from '../Deps.ts'
import { asActor } from '../http/handlers.ts'
import type { RoutesOf } from '../http/Route.ts'
import { importBranches, importPosUsers } from '../services/imports/imports.ts'

export const importRoutes = (deps: Deps): RoutesOf<'imports'> => ({
  'imports.branches': asActor(deps, importBranches, (rows) => ({ rows })),
  'imports.posUsers': asActor(deps, importPosUsers, (rows) => ({ rows })),
})
