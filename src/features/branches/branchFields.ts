import * as v from 'valibot'
import { weekOf, weekValues, type WeekValues } from '../../blocks/merchants/weekValues.ts'
import { adhocBranches, branches, type Branch } from '../../contract/branches.ts'
import type { Onboarding } from '../../contract/merchants/onboarding.ts'
import type { Profile } from '../../contract/profile.ts'
import type { BranchKind } from '../../contract/tables/lists.ts'
import { pinPrefix } from '../../domain/branches.ts'

/** The path of the operating hours in the body. */
export const WEEK = 'business.operating_hours'

/**
 * The values of the branch form, as a flat record. Names are paths of the contract, so that an error about
 * `business.postal_code` appears at that field. A few names exist only in this form.
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
  /** True if the branch has other hours than its organisation. */
  own_hours: boolean
  'financial_contact.name': string
  'financial_contact.email': string
  'financial_contact.contact_number': string
  /** Empty for a branch without a login. */
  email: string
  /** Empty if the main account manages the branch. */
  master_guid: string
}

export type NewBranchValues = BranchValues & { pin: string; sets_pin: boolean }

const formValues = <V extends BranchValues>() => v.custom<V>((values) => typeof values === 'object' && values !== null)

/** Checks the values of a new branch by the contract's rules for its kind. */
export const NewBranchFields = v.pipe(
  formValues<NewBranchValues>(),
  v.transform((values) => ({ ...toBody(values), ...(values.sets_pin ? { pin: values.pin } : {}) })),
  v.lazy((body) => (isAdhocBody(body as object) ? adhocBranches.create.body : branches.create.body)),
)

export const BranchEditFields = v.pipe(
  formValues<BranchValues & { revision: number }>(),
  v.transform((values) => ({ ...toBody(values), revision: values.revision })),
  v.lazy((body) => (isAdhocBody(body as object) ? adhocBranches.update.body : branches.update.body)),
)

/** True for the body of an adhoc branch, which has days. */
export const isAdhocBody = <B extends object>(body: B): body is Extract<B, { from_day: string }> => 'from_day' in body

function toBody(values: BranchValues) {
  return {
    name: values.name,
    code: values.code,
    email: values.email.trim() || null,
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

/** The values of an organisation's first branch that are known before its form is filled in. Empty texts are not known. */
const FirstBranch = v.object({
  name: v.string(),
  code: v.string(),
  'business.address': v.string(),
  'business.postal_code': v.string(),
  'business.contact_number': v.string(),
  'financial_contact.name': v.string(),
  'financial_contact.email': v.string(),
  'financial_contact.contact_number': v.string(),
})

export const NewBranchFacts = v.object({
  needs_pin: v.boolean(),
  /** Null for a later branch, which is another place. */
  first: v.nullable(FirstBranch),
})

export type NewBranchFacts = v.InferOutput<typeof NewBranchFacts>

/** Returns the values of a new form: those that are known, and the first digits of the PIN. */
export const newBranch = (kind: BranchKind, { needs_pin, first }: NewBranchFacts, merchantId: string) => ({
  ...toValues({ kind }),
  ...first,
  pin: pinPrefix(merchantId),
  sets_pin: needs_pin,
})

/** True if a known first branch needs nothing more but perhaps its PIN. */
export const isWhole = (values: NewBranchValues): boolean =>
  v.safeParse(NewBranchFields, { ...values, sets_pin: false }).success

/** The code of a first branch, if nobody types another one. */
const FIRST_CODE = '01'

/**
 * Returns what an organisation has said of its only place: in its profile, whose address begins as that of the application, and in its onboarding. A
 * fact that is not known is empty.
 */
export function firstBranch(profile: Profile, onboarding: Onboarding | null): v.InferOutput<typeof FirstBranch> {
  // The application has several lines for it, a branch one.
  const oneLine = (profile.address ?? '')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .join(', ')
  const [, address = oneLine, postal_code = ''] = /^(.*), Singapore (\d{6})$/.exec(oneLine) ?? []
  const contact_number = profile.contact_number ?? ''
  const { name, email } = onboarding?.financial_contact ?? {
    name: profile.contact_name ?? '',
    email: profile.contact_email ?? '',
  }
  return {
    name: profile.company_name,
    code: FIRST_CODE,
    'business.address': address,
    'business.postal_code': postal_code,
    'business.contact_number': contact_number,
    'financial_contact.name': name,
    'financial_contact.email': email,
    'financial_contact.contact_number': contact_number,
  }
}

export const toBranchForm = (branch: Branch): BranchValues & { revision: number } => ({
  ...toValues(branch),
  revision: branch.revision,
})

/** Returns the fields in the order of the form, because the summary of errors has the same order. */
function toValues(branch: Partial<Branch> & Pick<Branch, 'kind'>): BranchValues {
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
