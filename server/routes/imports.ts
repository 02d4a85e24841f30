import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { checkBranches, checkPosUsers } from '../services/imports/checkImport.ts'
import { importBranches } from '../services/imports/importBranches.ts'
import { importPosUsers } from '../services/imports/importPosUsers.ts'

type ImportRoutes = Pick<Routes, Extract<keyof Routes, `branchImport.${string}` | `posImport.${string}`>>

export const importRoutes = (deps: Deps): ImportRoutes => ({
  'branchImport.check': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: { rows: await checkBranches(deps, actor, body) } }),
  },
  'branchImport.commit': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: { rows: await importBranches(deps, actor, body) } }),
  },
  'posImport.check': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: { rows: await checkPosUsers(deps, actor, body) } }),
  },
  'posImport.commit': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: { rows: await importPosUsers(deps, actor, body) } }),
  },
})
