import type { Deps } from '../Deps.ts'
import { tillAnswer } from '../http/cookies.ts'
import { asActor } from '../http/handlers.ts'
import type { Routes } from '../http/Route.ts'
import { releaseHold, settleByHand } from '../services/redemptions/holds.ts'
import { readMyDay } from '../services/redemptions/myDay.ts'
import { syncTill } from '../services/redemptions/syncTill.ts'
import { nameTill } from '../services/redemptions/tills.ts'
import { verifyAndHold } from '../services/redemptions/verifyAndHold.ts'

export type RedemptionRoutes = Pick<
  Routes,
  `voucher.${'verify' | 'release' | 'myDay'}` | 'till.sync' | 'till.name' | 'hold.settle'
>

export const redemptionRoutes = (deps: Deps): RedemptionRoutes => ({
  'voucher.verify': {
    identify: 'token',
    async handle({ claims, body, caller, credentials: { idleSeconds } }) {
      const verified = await verifyAndHold(deps, { claims, idleSeconds, caller }, body)
      deps.metrics.held()
      return { data: verified }
    },
  },
  'till.sync': {
    identify: 'nobody',
    handle: async ({ body: { rows }, caller }) => ({ data: { outcomes: await syncTill(deps, rows, caller) } }),
  },
  'voucher.release': asActor(deps, releaseHold, () => ({ released: true })),
  'hold.settle': asActor(deps, settleByHand, () => ({ settled: true })),
  'voucher.myDay': {
    identify: 'actor',
    handle: async ({ actor, query }) => ({ data: await readMyDay(deps, actor, query) }),
  },
  'till.name': {
    identify: 'actor',
    handle: async ({ actor, caller, params, body }) =>
      tillAnswer(deps, await nameTill(deps, actor, caller, { id: params.id, ...body })),
  },
})
