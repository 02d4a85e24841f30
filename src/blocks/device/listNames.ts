import type { ReferenceListKey } from '../../offline/store/referenceLists.ts'

/** What people call the lists that are kept for offline. */
export const REFERENCE_LIST_LABELS: Record<ReferenceListKey, string> = {
  denominations: 'Denominations',
  productServiceCategories: 'Product and service categories',
  branches: 'Branches',
  masters: 'Masters',
  resources: 'Resources',
  posUsers: 'POS users',
  views: 'Saved views',
}
