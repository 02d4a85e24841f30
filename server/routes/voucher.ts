import type { Deps } from '../Deps.ts'
import type { Routes } from '../http/Route.ts'
import { findRedemption } from '../services/findRedemption.ts'
import { lookUpVouchers } from '../services/lookUpVouchers.ts'
import { redeemVoucher } from '../services/redeemVoucher.ts'
import { verifyVoucher } from '../services/verifyVoucher.ts'

type VoucherRoutes = Pick<Routes, 'voucher.datatable' | 'voucher.verify' | 'voucher.redeem' | 'voucher.redemption'>

export const voucherRoutes = (deps: Deps): VoucherRoutes => ({
  'voucher.datatable': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: await lookUpVouchers(deps, actor, body) }),
  },
  'voucher.verify': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: await verifyVoucher(deps, actor, body.serial) }),
  },
  'voucher.redeem': {
    identify: 'token',
    async handle({ claims, body, headers, credentials: { idleSeconds } }) {
      const id = headers['idempotency-key']
      const { receipt, replayed } = await redeemVoucher(deps, { claims, id, serial: body.serial, idleSeconds })
      return { data: receipt, ...(replayed ? { headers: { 'idempotent-replayed': 'true' } } : {}) }
    },
  },
  'voucher.redemption': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await findRedemption(deps, actor, params.id) }),
  },
})
