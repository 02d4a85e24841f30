import type { Deps } from '../Deps.ts'
import { asActorWithId } from '../http/handlers.ts'
import { listRoutes } from '../http/resourceRoutes.ts'
import type { Routes } from '../http/Route.ts'
import { changeAllowance, readAllowance, stopAllowance } from '../services/allowance/branchAllowance.ts'
import { grantAllowance } from '../services/allowance/grantAllowance.ts'
import { lossListing, reviewLoss } from '../services/allowance/losses.ts'

export type AllowanceRoutes = Pick<
  Routes,
  'till.allowance' | Extract<keyof Routes, `allowance.${string}` | `losses.${string}`>
>

export const allowanceRoutes = (deps: Deps): AllowanceRoutes => ({
  'till.allowance': {
    identify: 'nobody',
    handle: async ({ body, caller }) => ({ data: await grantAllowance(deps, body, caller) }),
  },
  'allowance.read': asActorWithId(deps, readAllowance),
  'allowance.change': asActorWithId(deps, changeAllowance),
  'allowance.stop': asActorWithId(deps, stopAllowance),
  ...listRoutes(deps, 'losses', () => lossListing),
  'losses.review': asActorWithId(deps, reviewLoss),
})
