import type { Endpoint } from '../../contract/endpoint.ts'
import { masters } from '../../contract/masters.ts'
import { productServiceCategories } from '../../contract/merchants/signup.ts'
import { posUsers } from '../../contract/posUsers.ts'
import { spentVouchers, voucherKeys } from '../../contract/redemptions/signedVouchers.ts'
import { branchOptions, denominationOptions } from '../../contract/reports/reportFilters.ts'
import { support } from '../../contract/system.ts'

/** Lists that are stored for offline use. A new one is one more entry. */
export const REFERENCE_LISTS = {
  denominations: denominationOptions,
  productServiceCategories,
  branches: branchOptions,
  masters: masters.list,
  support,
  posUsers: posUsers.list,
  voucherKeys,
  spentVouchers,
} as const satisfies Record<string, Endpoint>
export type ReferenceListKey = keyof typeof REFERENCE_LISTS

/** The same for everyone, and asked without a token: it is stored once on the device, in nobody's database. */
export const isPublicList = (key: ReferenceListKey): boolean => REFERENCE_LISTS[key].access === 'public'
