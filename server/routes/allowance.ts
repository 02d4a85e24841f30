import type { Deps } from '../Deps.ts'
import { asActorWithId, asAnybody } from '../http/handlers.ts'
import { listRoutes } from '../http/resourceRoutes.ts'
import type { Routes, RoutesOf } from '../http/Route.ts'
import { changeAllowance, readAllowance, stopAllowance } from '../services/allowance/branchAllowance.ts'
import { grantAllowance } from '../services/allowance/grantAllowance.ts'
import { lossListing } from '../services/allowance/losses.ts'

export type AllowanceRoutes = RoutesOf<'allowance' | 'losses'> & Pick<Routes, 'till.allowance'>

export const allowanceRoutes = (deps: Deps): AllowanceRoutes => ({
  'till.allowance': asAnybody(deps, grantAllowance),
  'allowance.read': asActorWithId(deps, readAllowance),
  'allowance.change': asActorWithId(deps, changeAllowance),
  'allowance.stop': asActorWithId(deps, stopAllowance),
  ...listRoutes(deps, 'losses', () => lossListing),
})
