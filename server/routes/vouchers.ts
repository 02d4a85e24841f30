import type { Deps } from '../Deps.ts'
import { csvAnswer } from '../http/fileResponse.ts'
import type { Routes } from '../http/Route.ts'
import { hashToken } from '../services/opaqueToken.ts'
import { findRedemption } from '../services/redemptions/receipt.ts'
import { redeemVoucher } from '../services/redemptions/redeemVoucher.ts'
import { verifyVoucher } from '../services/redemptions/verifyVoucher.ts'
import { Refusal } from '../services/Refusal.ts'
import { readList } from '../services/tables/readTable.ts'
import { exportVouchers, findVouchers, readVoucher } from '../services/vouchers/findVouchers.ts'
import { voucherListing } from '../services/vouchers/voucherListing.ts'
import type { RedemptionRoutes } from './redemptions.ts'

type VoucherRoutes = Omit<Pick<Routes, Extract<keyof Routes, `voucher.${string}`>>, keyof RedemptionRoutes>

const hashOf = (secret: string | undefined) => (secret === undefined ? undefined : hashToken(secret))

/** The permission table lets nobody come this far, whatever merchants may do with a hold. */
const closed = { identify: 'actor', handle: () => Promise.reject(new Refusal('FORBIDDEN')) } as const

export const voucherRoutes = (deps: Deps): VoucherRoutes => ({
  'voucher.datatable': {
    identify: 'actor',
    handle: async ({ actor, body }) => ({ data: await findVouchers(deps, actor, body) }),
  },
  'voucher.export': {
    identify: 'actor',
    handle: async ({ actor, body }) => csvAnswer(await exportVouchers(deps, actor, body)),
  },
  'voucher.get': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await readVoucher(deps, actor, params.id) }),
  },
  'voucher.list': {
    identify: 'actor',
    handle: async ({ actor: { scope } }) => ({ data: await readList(deps, scope, voucherListing(scope)) }),
  },
  'voucher.create': closed,
  'voucher.update': closed,
  'voucher.remove': closed,
  'voucher.verify': {
    identify: 'actor',
    async handle({ actor, body }) {
      const verified = await verifyVoucher(deps, actor, body)
      if (body.hold) deps.metrics.held()
      return { data: verified }
    },
  },
  'voucher.redeem': {
    identify: 'token or hold',
    async handle({ claims, holdSecret, body, headers, credentials: { idleSeconds } }) {
      const { receipt, replayed } = await redeemVoucher(deps, {
        claims,
        id: headers['idempotency-key'],
        serial: body.serial,
        secretHash: hashOf(holdSecret ?? body.secret),
        tappedAt: body.redeemed_at === undefined ? undefined : new Date(body.redeemed_at),
        pin: body.pin,
        idleSeconds,
      })
      deps.metrics.redeemed(receipt.denomination_cents, replayed)
      return { data: receipt, ...(replayed ? { headers: { 'idempotent-replayed': 'true' } } : {}) }
    },
  },
  'voucher.redemption': {
    identify: 'actor',
    handle: async ({ actor, params }) => ({ data: await findRedemption(deps, actor, params.id) }),
  },
})
