import type { Deps } from '../Deps.ts'
import { asActorWithId, csvAnswer } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { changeAllowance, readAllowance, stopAllowance } from '../services/allowance/branchAllowance.ts'
import { grantAllowance } from '../services/allowance/grantAllowance.ts'
import { lossListing, reviewLoss } from '../services/allowance/losses.ts'
import { exportTable, readPage } from '../services/tables/readTable.ts'

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
  'losses.datatable': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: await readPage(deps, actor.scope, lossListing, body) }),
  },
  'losses.export': {
    identify: 'actor',
    handle: async ({ actor, body }) => csvAnswer(await exportTable(deps, actor, lossListing, body)),
  },
  'losses.review': asActorWithId(deps, reviewLoss),
})
