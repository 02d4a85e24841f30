import type { UserType } from '../../../src/contract/accounts/permissions.ts'
import type { Profile, ProfileType, SummaryMail } from '../../../src/contract/profile.ts'
import type { Db } from '../../db/engine/Database.ts'
import { findProfile, type FoundProfile } from '../../db/merchants/organisations.ts'
import { summaryAddresses, summaryMails } from '../../db/reports/monthlySummaries.ts'
import { findConfirmedUpload } from '../../db/uploads.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { fileUrl } from '../uploads/uploads.ts'

const TYPES: Partial<Record<UserType, ProfileType>> = {
  'HRP Merchant': 'main',
  'ADHOC Merchant': 'adhoc',
  'Additional Merchant': 'master',
  'Branch Merchant': 'branch',
}

/** Returns the actor's own profile; `id` is its account. Throws Refusal NOT_FOUND for any other id. */
export async function readProfile(deps: Deps, actor: Actor, id: string, db: Db = deps.database.db): Promise<Profile> {
  const found = id === actor.userId ? await findProfile(db, id) : undefined
  const type = TYPES[actor.type]
  if (!found || !type) throw new Refusal('NOT_FOUND')
  return { ...companyFields(found), ...(await contactFields(deps, db, found, type)) }
}

/** Returns the actor's own profile with the state of the latest monthly summaries. Throws Refusal NOT_FOUND. */
export async function readProfileWithMails(deps: Deps, actor: Actor, id: string): Promise<Profile> {
  const profile = await readProfile(deps, actor, id)
  const found = await summaryMails(deps.database.forAllTenants().db, actor.organisation.id, MONTHS_OF_MAILS)
  return { ...profile, monthly_summary: { ...profile.monthly_summary, mails: found.map(mailOf) } }
}

const MONTHS_OF_MAILS = 3

type FoundMail = Awaited<ReturnType<typeof summaryMails>>[number]

const mailOf = ({ month, to, isWaiting, queuedAt, sentAt }: FoundMail): SummaryMail => ({
  month,
  to,
  state: sentAt ? 'sent' : isWaiting ? 'waiting' : 'failed',
  at: (sentAt ?? queuedAt).toISOString(),
})

const companyFields = ({ organisation, ownAddress: own }: FoundProfile) => ({
  company_name: organisation.name,
  merchant_id: organisation.merchantId,
  registration_number: organisation.registrationNumber,
  address: organisation.address,
  verification_method: organisation.verificationMethod,
  monthly_summary: {
    enabled: organisation.summaryEnabled,
    recipients: organisation.summaryRecipients,
    to: summaryAddresses({ own, extra: organisation.summaryRecipients }),
  },
})

/** Returns the organisation's name and contact for a main account. A master and a branch have their own. */
async function contactFields(
  deps: Deps,
  db: Db,
  { account, organisation, branchName }: FoundProfile,
  type: ProfileType,
) {
  const isMain = type === 'main' || type === 'adhoc'
  const owner = isMain ? organisation : account
  return {
    type,
    guid: account.id,
    name: (isMain ? organisation.name : account.name) ?? branchName ?? account.loginName,
    login_email: account.loginName,
    contact_name: owner.contactName,
    contact_number: owner.contactNumber,
    contact_email: isMain ? organisation.contactEmail : account.loginName,
    logo_key: organisation.logoKey,
    logo_url: await logoUrl(deps, db, organisation.logoKey),
    password_changed_at: (account.passwordChangedAt ?? account.createdAt).toISOString(),
    revision: owner.revision,
  }
}

/** Returns an address that shows the logo for five minutes. The caller must have checked the organisation. */
async function logoUrl(deps: Deps, db: Db, key: string | null): Promise<string | null> {
  const file = key === null ? undefined : await findConfirmedUpload(db, key)
  return file ? fileUrl(deps, file) : null
}
