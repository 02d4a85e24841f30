import type { Deps } from '../Deps.ts'
import { asActor, asActorWithId, asAnybody, csvAnswer } from '../http/handlers.ts'
import type { RoutesOf } from '../http/Route.ts'
import { Refusal } from '../services/Refusal.ts'
import { exportVouchers, findVouchers, listVouchers, readVoucher } from '../services/vouchers/findVouchers.ts'
import { readSpentVouchers } from '../services/vouchers/spentVouchers.ts'
import { readVoucherKeys } from '../services/vouchers/voucherKeys.ts'
import type { AllowanceRoutes } from './allowance.ts'
import type { RedemptionRoutes } from './redemptions.ts'

type VoucherRoutes = Omit<RoutesOf<'voucher'>, keyof RedemptionRoutes | keyof AllowanceRoutes>

/** Never reached: the permission table allows these operations to no user type. */
const closed = { identify: 'actor', handle: () => Promise.reject(new Refusal('FORBIDDEN')) } as const

export const voucherRoutes = (deps: Deps): VoucherRoutes => ({
  'voucher.datatable': asActor(deps, findVouchers),
  'voucher.export': {
    identify: 'actor',
    handle: async ({ actor, body }) => csvAnswer(await exportVouchers(deps, actor, body)),
  },
  'voucher.get': asActorWithId(deps, readVoucher),
  'voucher.list': asActor(deps, listVouchers),
  'voucher.keys': asAnybody(deps, readVoucherKeys),
  'voucher.spent': {
    identify: 'nobody',
    async handle() {
      const { spent, tag } = await readSpentVouchers(deps)
      return { data: spent, headers: { etag: tag } }
    },
  },
  'voucher.create': closed,
  'voucher.update': closed,
  'voucher.remove': closed,
})
