import type { Deps } from '../Deps.ts'
import { asActor } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { checkBranches, checkPosUsers } from '../services/imports/checkImport.ts'
import { importBranches } from '../services/imports/importBranches.ts'
import { importPosUsers } from '../services/imports/importPosUsers.ts'

type ImportRoutes = Pick<Routes, Extract<keyof Routes, `branchImport.${string}` | `posImport.${string}`>>

export const importRoutes = (deps: Deps): ImportRoutes => ({
  'branchImport.check': asActor(deps, checkBranches, asRows),
  'branchImport.commit': asActor(deps, importBranches, asRows),
  'posImport.check': asActor(deps, checkPosUsers, asRows),
  'posImport.commit': asActor(deps, importPosUsers, asRows),
})

const asRows = <Row>(rows: Row[]) => ({ rows })
