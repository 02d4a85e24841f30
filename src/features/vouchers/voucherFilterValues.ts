import * as v from 'valibot'
import { day, guid } from '../../contract/fieldSchemas.ts'
import { ON_HOLD, VOUCHER_STATUSES } from '../../contract/tables/tableColumns.ts'

/** What the filters accept. Anything else in a link counts as no filter. */
export const VOUCHER_FILTER_VALUES = {
  denomination: v.pipe(v.string(), v.regex(/^\d{1,9}$/)),
  status: v.picklist([ON_HOLD, ...VOUCHER_STATUSES]),
  used_from: day,
  used_to: day,
  branch: guid,
}
