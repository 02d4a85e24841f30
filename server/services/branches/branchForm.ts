import type { BranchContact, BusinessInformation } from '../../../src/contract/branches.ts'
import type * as v from 'valibot'

/** What the forms of a branch have in common; an adhoc one has its days. */
export interface BranchForm {
  name: string
  code: string
  email: string
  business: v.InferOutput<typeof BusinessInformation>
  financial_contact: v.InferOutput<typeof BranchContact>
  master_guid: string | null
  from_day?: string
  to_day?: string
}

/** The columns that the form fills; the days say what kind of branch it is. */
export const columnsOf = ({ name, code, business, financial_contact, from_day, to_day }: BranchForm) => ({
  name,
  code,
  business,
  financialContact: financial_contact,
  ...(from_day === undefined ? {} : { kind: 'adhoc' as const, fromDay: from_day, toDay: to_day }),
})
