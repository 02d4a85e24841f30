import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { hashToken } from '../services/opaqueToken.ts'
import { askHold, cancelHold, releaseHold } from '../services/redemptions/holds.ts'
import { myDay } from '../services/redemptions/myDay.ts'
import { nameTill } from '../services/redemptions/nameTill.ts'
import { voidRedemption } from '../services/redemptions/voidRedemption.ts'
import { Refusal } from '../services/Refusal.ts'

export type RedemptionRoutes = Pick<
  Routes,
  'voucher.cancel' | 'voucher.ask' | 'voucher.release' | 'voucher.void' | 'voucher.myDay' | 'till.name'
>

export const redemptionRoutes = (deps: Deps): RedemptionRoutes => ({
  'voucher.cancel': {
    identify: 'actor or hold',
    async handle({ holdSecret, body: { id, secret = holdSecret }, caller: { ipAddress } }) {
      // A session says who asks; that it is the till which holds, only the secret says.
      if (secret === undefined) throw new Refusal('HOLD_UNKNOWN')
      const asked = { id, secretHash: hashToken(secret), ipAddress }
      return { data: { id, ...(await cancelHold({ ...deps, database: deps.database.portal() }, asked)) } }
    },
  },
  'voucher.ask': {
    identify: 'actor or hold',
    handle: async ({ actor, holdSecret, params: { id } }) => ({
      data: await askHold(deps, id, actor ? { scope: actor.scope } : { secretHash: hashToken(holdSecret) }),
    }),
  },
  'voucher.release': {
    identify: 'actor',
    async handle({ actor, body }) {
      await releaseHold(deps, actor, body)
      return { data: { released: true } }
    },
  },
  'voucher.void': {
    identify: 'actor',
    handle: async ({ actor, body: { id } }) => ({ data: await voidRedemption(deps, actor, id) }),
  },
  'voucher.myDay': {
    identify: 'actor',
    handle: async ({ actor, query }) => ({ data: await myDay(deps, actor, query) }),
  },
  'till.name': {
    identify: 'actor',
    handle: async ({ actor, params, body }) => ({ data: await nameTill(deps, actor, params.id, body.name) }),
  },
})
