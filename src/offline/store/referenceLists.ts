import type { Endpoint } from '../../contract/endpoint.ts'
import { masters } from '../../contract/masters.ts'
import { productServiceCategories } from '../../contract/merchants/signup.ts'
import { posUsers } from '../../contract/posUsers.ts'
import { spentVouchers, voucherKeys } from '../../contract/redemptions/signedVouchers.ts'
import { branchOptions, denominationOptions } from '../../contract/reports/reportFilters.ts'
import { support } from '../../contract/system.ts'

/** The lists that are stored for offline use. A new list is one more entry. */
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

/** True for a list that needs no token and is the same for all users. It is stored once, in the device's database. */
export const isPublicList = (key: ReferenceListKey): boolean => REFERENCE_LISTS[key].access === 'public'
