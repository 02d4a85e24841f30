import { masterApi, programmeApi } from '../../api/business.ts'
import { filterApi, signupApi } from '../../api/portal.ts'
import type { ReferenceListKey } from '../../offline/store/referenceLists.ts'

/** Asks for a list anew; the worker keeps the answer on its way. Throws ApiError. */
export const refreshList = (key: ReferenceListKey): Promise<unknown> => CALLS[key]()

const CALLS: Record<ReferenceListKey, () => Promise<unknown>> = {
  denominations: () => filterApi.denominations(),
  branches: () => filterApi.branches(),
  productServiceCategories: () => signupApi.productServiceCategories(),
  masters: () => masterApi.list(),
  resources: () => programmeApi.datatable({ query: {} }),
}
