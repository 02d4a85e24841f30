import * as v from 'valibot'
import { weekOf, weekValues, type WeekValues } from '../../blocks/merchants/weekValues.ts'
import { adhocBranches, branches, type Branch } from '../../contract/branches.ts'
import type { BranchKind } from '../../contract/tables/lists.ts'
import { pinPrefix } from '../../domain/branches.ts'

/** The path of the operating hours in the body. */
export const WEEK = 'business.operating_hours'

/**
 * The typed values, as a flat record. Names are the paths of the contract, so that an error of the schema or the server about `business.postal_code`
 * appears at that field. A few names exist in this form only.
 */
export type BranchValues = WeekValues<typeof WEEK> & {
  kind: BranchKind
  name: string
  code: string
  /** The first day of an adhoc branch. */
  from_day: string
  to_day: string
  'business.address': string
  'business.postal_code': string
  'business.contact_number': string
  /** The branch has other hours than its organisation. */
  own_hours: boolean
  'financial_contact.name': string
  'financial_contact.email': string
  'financial_contact.contact_number': string
  email: string
  /** Empty if the main account manages the branch. */
  master_guid: string
}

const typed = <V extends BranchValues>() => v.custom<V>((values) => typeof values === 'object' && values !== null)

/** The contract's rules for the typed values, for the chosen kind of branch. */
export const NewBranchFields = v.pipe(
  typed<BranchValues & { pin: string }>(),
  v.transform((values) => ({ ...bodyOf(values), pin: values.pin })),
  v.lazy((body) => (isAdhocBody(body as object) ? adhocBranches.create.body : branches.create.body)),
)

export const BranchEditFields = v.pipe(
  typed<BranchValues & { revision: number }>(),
  v.transform((values) => ({ ...bodyOf(values), revision: values.revision })),
  v.lazy((body) => (isAdhocBody(body as object) ? adhocBranches.update.body : branches.update.body)),
)

/** True for the body of a temporary branch, which has days. */
export const isAdhocBody = <B extends object>(body: B): body is Extract<B, { from_day: string }> => 'from_day' in body

function bodyOf(values: BranchValues) {
  return {
    name: values.name,
    code: values.code,
    email: values.email,
    business: {
      address: values['business.address'],
      postal_code: values['business.postal_code'],
      contact_number: values['business.contact_number'],
      operating_hours: values.own_hours ? weekOf(WEEK, values) : null,
    },
    financial_contact: {
      name: values['financial_contact.name'],
      email: values['financial_contact.email'],
      contact_number: values['financial_contact.contact_number'],
    },
    master_guid: values.master_guid || null,
    ...(values.kind === 'adhoc' ? { from_day: values.from_day, to_day: values.to_day } : {}),
  }
}

/** Returns the values of a new form: empty except for the kind and the first digits of the PIN. */
export const emptyBranch = (kind: BranchKind, merchantId: string): BranchValues & { pin: string } => ({
  ...valuesOf({ kind }),
  pin: pinPrefix(merchantId),
})

export const toBranchForm = (branch: Branch): BranchValues & { revision: number } => ({
  ...valuesOf(branch),
  revision: branch.revision,
})

/** The fields in the order of the form, because a summary of errors follows it. */
function valuesOf(branch: Partial<Branch> & Pick<Branch, 'kind'>): BranchValues {
  const { business, financial_contact: contact } = branch
  return {
    kind: branch.kind,
    name: branch.name ?? '',
    code: branch.code ?? '',
    from_day: branch.from_day ?? '',
    to_day: branch.to_day ?? '',
    'business.address': business?.address ?? '',
    'business.postal_code': business?.postal_code ?? '',
    'business.contact_number': business?.contact_number ?? '',
    own_hours: Boolean(business?.operating_hours),
    ...weekValues(WEEK, business?.operating_hours),
    'financial_contact.name': contact?.name ?? '',
    'financial_contact.email': contact?.email ?? '',
    'financial_contact.contact_number': contact?.contact_number ?? '',
    email: branch.email ?? '',
    master_guid: branch.master_guid ?? '',
  }
}
