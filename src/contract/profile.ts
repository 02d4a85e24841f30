import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { email, guid, text } from './fieldSchemas.ts'
import { LIMITS } from './limits.ts'
import { uploadKey } from './merchants/merchantFields.ts'
import { phone, uen } from './merchants/singaporeNumbers.ts'
import { byId, revision } from './tables/resourceEndpoints.ts'
import { instant } from './wireFields.ts'

/** Rule 6.2. */
export const VERIFICATION_METHODS = ['Serial', 'Serial and branch PIN'] as const
export type VerificationMethod = (typeof VERIFICATION_METHODS)[number]

/**
 * Whose: the organisation with its main account, a master, a branch. `a` of PUT /merchant/{a}/{b}; not `additional`, for that
 * path edits a master as the main account does.
 */
const PROFILE_TYPES = ['main', 'adhoc', 'master', 'branch'] as const
export type ProfileType = (typeof PROFILE_TYPES)[number]

const RECIPIENTS_RULE = 'are separated by commas only'

const RECIPIENTS_MOST = 20
const TOO_MANY_RECIPIENTS = `must be ${RECIPIENTS_MOST} addresses or fewer`

/** Typed as one line with commas and nothing else between (rule 6.3); each is an email address, none twice. */
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
  v.maxLength(RECIPIENTS_MOST, TOO_MANY_RECIPIENTS),
  v.array(email),
)

const contact = { contact_name: text(LIMITS.nameLength), contact_number: phone }

/** One mail of a monthly summary: `at` is when it was sent, or when it was put out to be sent. */
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
    /** The extra ones. */
    recipients: v.array(v.string()),
    /** Everybody it goes to, the contact address first. */
    to: v.array(v.string()),
    /** Of the last three months that had one, newest first; not in the answer of an edit. */
    mails: v.optional(v.array(SummaryMail)),
  }),
  /** The upload that the logo came with: a save whose answer was lost knows its own by it. */
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
  /** A new upload; `null` takes the logo away; absent leaves it. */
  logo: v.optional(v.nullable(uploadKey)),
  revision,
})
/** An ADHOC Merchant has no onboarding to give its registration number in. `null` takes it away; absent leaves it. */
export const AdhocProfileEdit = v.strictObject({
  ...OrganisationProfileEdit.entries,
  registration_number: v.optional(v.nullable(uen)),
})
export const AccountProfileEdit = v.strictObject({ name: text(LIMITS.nameLength), ...contact, revision })

/**
 * PUT /merchant/{a}/{b} (rule 6.1): `a` is the type of the profile, `b` its account, and both must be mine (ACL-04).
 * One endpoint for each type, for what can be edited differs.
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
