import * as v from 'valibot'
import { TransactionReportRequest } from '../../contract/report.ts'

interface Chosen {
  from: string
  to: string
  branch_guid: string | null
  pos_guid: string | null
  denomination_cents: number | null
}

const orNull = (value: string) => (value === '' ? null : value)

/** The form as it is typed: a select knows text only, and its "all" is the empty one. What comes out is the wire's own request. */
export const TransactionReportFields = v.pipe(
  v.object({
    from: v.string(),
    to: v.string(),
    branch_guid: v.string(),
    pos_guid: v.string(),
    denomination_cents: v.string(),
  }),
  v.transform((typed): Chosen => ({
    ...typed,
    branch_guid: orNull(typed.branch_guid),
    pos_guid: orNull(typed.pos_guid),
    denomination_cents: typed.denomination_cents === '' ? null : Number(typed.denomination_cents),
  })),
  // An optional field of the wire may also be absent; here it never is, which valibot's invariant types cannot tell.
  TransactionReportRequest as v.GenericSchema<Chosen, TransactionReportRequest>,
)
