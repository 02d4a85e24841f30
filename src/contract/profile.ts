import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { email, guid, text } from './fieldSchemas.ts'
import { LIMITS } from './limits.ts'
import { uploadKey } from './merchants/merchantFields.ts'
import { phone, uen } from './merchants/singaporeNumbers.ts'
import { byId, revision } from './tables/resourceEndpoints.ts'
import { instant } from './wireFields.ts'

/** The checks of a voucher that an organisation can choose (rule 6.2). */
export const VERIFICATION_METHODS = ['Serial', 'Serial and branch PIN'] as const
export type VerificationMethod = (typeof VERIFICATION_METHODS)[number]

/**
 * The owners of a profile: the organisation with its main account, a master, a branch. This is `a` of PUT /merchant/{a}/{b}; not `additional`,
 * because on that path the main account edits a master.
 */
const PROFILE_TYPES = ['main', 'adhoc', 'master', 'branch'] as const
export type ProfileType = (typeof PROFILE_TYPES)[number]

const RECIPIENTS_RULE = 'are separated by commas only'

const MOST_RECIPIENTS = 20
const TOO_MANY_RECIPIENTS = `must be ${MOST_RECIPIENTS} addresses or fewer`

/** Typed on one line, separated only by commas (rule 6.3); each is an email address, and duplicates are dropped. */
export const recipients = v.pipe(
  v.string(),
  v.maxLength(2_000),
  v.check((line) => !/[;\n|]|[^,\s]\s+[^,\s]/.test(line.trim()), RECIPIENTS_RULE),
  v.transform((line) => [
    ...new Set(
      line
        .split(',')
        .map((one) => one.trim().toLowerCase())
        .filter(Boolean),
    ),
  ]),
  v.maxLength(MOST_RECIPIENTS, TOO_MANY_RECIPIENTS),
  v.array(email),
)

const contact = { contact_name: text(LIMITS.nameLength), contact_number: phone }

/** One mail of a monthly summary: `at` is the time when it was sent, or queued if it was not sent yet. */
export const SummaryMail = v.object({
  month: v.string(),
  to: v.string(),
  state: v.picklist(['sent', 'waiting', 'failed']),
  at: instant,
})
export type SummaryMail = v.InferOutput<typeof SummaryMail>

export const Profile = v.object({
  type: v.picklist(PROFILE_TYPES),
  guid,
  name: v.string(),
  login_email: v.string(),
  company_name: v.string(),
  merchant_id: v.string(),
  registration_number: v.nullable(v.string()),
  address: v.nullable(v.string()),
  contact_name: v.nullable(v.string()),
  contact_number: v.nullable(v.string()),
  contact_email: v.nullable(v.string()),
  verification_method: v.picklist(VERIFICATION_METHODS),
  monthly_summary: v.object({
    enabled: v.boolean(),
    /** The extra addresses. */
    recipients: v.array(v.string()),
    /** All addresses that get the summary, the contact address first. */
    to: v.array(v.string()),
    /** For the last three months with a summary, newest first; not in the answer of an edit. */
    mails: v.optional(v.array(SummaryMail)),
  }),
  /** The upload key of the logo. After a lost answer, a repeated save recognises its own logo by it. */
  logo_key: v.nullable(v.string()),
  /** A signed address good for five minutes. */
  logo_url: v.nullable(v.string()),
  password_changed_at: instant,
  revision,
})
export type Profile = v.InferOutput<typeof Profile>

export const readProfile = endpoint({
  method: 'GET',
  path: '/merchant/get/:id',
  access: { feature: 'profile', action: 'view' },
  summary: 'My profile; the id is my own account',
  params: byId,
  answer: Profile,
})

export const OrganisationProfileEdit = v.strictObject({
  company_name: text(LIMITS.nameLength),
  address: text(LIMITS.addressLength),
  ...contact,
  contact_email: email,
  verification_method: v.picklist(VERIFICATION_METHODS),
  monthly_summary_enabled: v.boolean(),
  recipients,
  /** A new upload; `null` removes the logo; absent leaves it. */
  logo: v.optional(v.nullable(uploadKey)),
  revision,
})
/** The registration number is here because an ADHOC Merchant has no onboarding. `null` removes it; absent leaves it. */
export const AdhocProfileEdit = v.strictObject({
  ...OrganisationProfileEdit.entries,
  registration_number: v.optional(v.nullable(uen)),
})
export const AccountProfileEdit = v.strictObject({ name: text(LIMITS.nameLength), ...contact, revision })

/**
 * PUT /merchant/{a}/{b} (rule 6.1): `a` is the type of the profile, `b` its account, and both must be mine (ACL-04). Each type has its own endpoint,
 * because the fields to edit differ.
 */
const profileEdit = <const T extends ProfileType, B extends v.GenericSchema>(type: T, body: B) =>
  endpoint({
    method: 'PUT',
    path: `/merchant/${type}/:id`,
    access: { feature: 'profile', action: 'edit' },
    summary: 'Edit my profile',
    params: byId,
    body,
    answer: Profile,
    errors: ['STALE_REVISION', 'INVALID_IMAGE', 'UPLOAD_UNKNOWN'],
  })

/** A master or a branch edits its own contact only. */
export const editProfile = {
  main: profileEdit('main', OrganisationProfileEdit),
  adhoc: profileEdit('adhoc', AdhocProfileEdit),
  master: profileEdit('master', AccountProfileEdit),
  branch: profileEdit('branch', AccountProfileEdit),
}
