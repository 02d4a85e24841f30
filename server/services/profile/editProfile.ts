import type * as v from 'valibot'
import type { AccountProfileEdit, AdhocProfileEdit, Profile, ProfileType } from '../../../src/contract/profile.ts'
import { updateAccount } from '../../db/accounts/accounts.ts'
import { findOwnUser, lockUser } from '../../db/accounts/loginUsers.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { findProfile, lockOrganisation, updateOrganisation } from '../../db/merchants/organisations.ts'
import type { CheckedUpload } from '../../db/uploads.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { activityTarget, changedFields } from '../activity/activity.ts'
import { staleRevision } from '../recordConflicts.ts'
import { Refusal } from '../Refusal.ts'
import { attachUpload, checkUpload } from '../uploads/uploads.ts'
import { readProfile } from './readProfile.ts'

/** The `a` and `b` of PUT /merchant/{a}/{b}: both must belong to the actor and to each other (ACL-04). */
export interface ProfilePair {
  type: ProfileType
  id: string
}

/** Saves a main account's edit of its organisation. Throws Refusal NOT_FOUND, STALE_REVISION, UPLOAD_UNKNOWN, INVALID_IMAGE. */
export async function editOrganisationProfile(deps: Deps, actor: Actor, pair: ProfilePair, asked: OrganisationEdit) {
  await refuseUnlessMine(deps, actor, pair)
  const logo = typeof asked.logo === 'string' ? await checkNewLogo(deps, actor, asked.logo) : asked.logo
  return editInTurn(deps, actor, { revision: asked.revision, lock: lockOrganisation }, async (tx, current) => {
    if (logo) await attachUpload(tx, logo, 'logo', deps.clock.now())
    const logoKey = logo ? logo.key : logo
    await updateOrganisation(tx, actor.organisation.id, {
      name: asked.company_name,
      address: asked.address,
      contactName: asked.contact_name,
      contactNumber: asked.contact_number,
      contactEmail: asked.contact_email,
      verificationMethod: asked.verification_method,
      summaryEnabled: asked.monthly_summary_enabled,
      summaryRecipients: asked.recipients,
      ...(asked.registration_number === undefined ? {} : { registrationNumber: asked.registration_number }),
      ...(logoKey === undefined ? {} : { logoKey }),
    })
    await noteProfile(tx, actor, changedInOrganisation(current, asked), deps.clock.now())
  })
}

/** Saves a master's or a branch's edit of its own profile. Throws Refusal NOT_FOUND, STALE_REVISION. */
export async function editAccountProfile(
  deps: Deps,
  actor: Actor,
  pair: ProfilePair,
  asked: AccountEdit,
): Promise<Profile> {
  await refuseUnlessMine(deps, actor, pair)
  const values = { name: asked.name, contactName: asked.contact_name, contactNumber: asked.contact_number }
  const lock = (tx: Db) => lockUser(tx, actor.userId)
  return editInTurn(deps, actor, { revision: asked.revision, lock }, async (tx, current) => {
    await updateAccount(tx, actor.userId, values)
    await noteProfile(tx, actor, changedInAccount(current, asked), deps.clock.now())
  })
}

/**
 * Checks an uploaded logo, outside any transaction because it is slow. Returns `undefined` for a logo that is saved already, for example when a lost
 * answer made the browser send the save again. Throws Refusal UPLOAD_UNKNOWN, INVALID_IMAGE.
 */
async function checkNewLogo(deps: Deps, actor: Actor, key: string): Promise<CheckedUpload | undefined> {
  const saved = await findProfile(deps.database.db, actor.userId)
  if (saved?.organisation.logoKey === key) return undefined
  const owner = { organisationId: actor.organisation.id, userId: actor.userId }
  return checkUpload(deps, owner, { kind: 'profile_logo', key, path: 'logo' })
}

async function refuseUnlessMine(deps: Deps, actor: Actor, { type, id }: ProfilePair): Promise<void> {
  const profile = await readProfile(deps, actor, id)
  if (profile.type !== type) throw new Refusal('NOT_FOUND')
}

/** Runs an edit while its row is locked, so that each edit sees the result of the edit before. Throws Refusal STALE_REVISION. */
const editInTurn = (
  deps: Deps,
  actor: Actor,
  { revision, lock }: { revision: number; lock: (tx: Db, organisationId: string) => Promise<unknown> },
  write: (tx: Db, current: Profile) => Promise<void>,
): Promise<Profile> =>
  deps.database.db.transaction(async (tx: Db) => {
    await lock(tx, actor.organisation.id)
    const current = await readProfile(deps, actor, actor.userId, tx)
    if (current.revision !== revision) throw staleRevision(current)
    await write(tx, current)
    return readProfile(deps, actor, actor.userId, tx)
  })

/** An HRP Merchant sends no registration number, because its onboarding has it. */
type OrganisationEdit = v.InferOutput<typeof AdhocProfileEdit>

type AccountEdit = v.InferOutput<typeof AccountProfileEdit>

/** Logs the profile fields that `actor` has changed; a save without changes is not logged. */
async function noteProfile(tx: Db, actor: Actor, changed: string | undefined, now: Date): Promise<void> {
  if (changed === undefined) return
  const user = await findOwnUser(tx, actor.userId)
  if (!user) return
  const about = activityTarget(user)
  // A main account edits the organisation's profile.
  const { id, name } = actor.organisation
  const subject = about.subject.type === 'account' ? ({ type: 'organisation', id, name } as const) : about.subject
  await noteActivity(tx, actor, { ...about, action: 'profile.edited', subject, details: { changed } }, now)
}

const changedInOrganisation = (before: Profile, asked: OrganisationEdit) =>
  changedFields([
    ['company name', before.company_name, asked.company_name],
    [
      'registration number',
      before.registration_number,
      valueAfter(asked.registration_number, before.registration_number),
    ],
    ['address', before.address, asked.address],
    ['contact name', before.contact_name, asked.contact_name],
    ['contact number', before.contact_number, asked.contact_number],
    ['contact email', before.contact_email, asked.contact_email],
    ['voucher verification method', before.verification_method, asked.verification_method],
    ['monthly summary', before.monthly_summary.enabled, asked.monthly_summary_enabled],
    ['report recipients', before.monthly_summary.recipients, asked.recipients],
    ['company logo', before.logo_key, valueAfter(asked.logo, before.logo_key)],
  ])

/** Returns the value after the edit: an absent field stays as it was. */
const valueAfter = <T>(asked: T | undefined, before: T): T => (asked === undefined ? before : asked)

const changedInAccount = (before: Profile, asked: AccountEdit) =>
  changedFields([
    ['name', before.name, asked.name],
    ['contact name', before.contact_name, asked.contact_name],
    ['contact number', before.contact_number, asked.contact_number],
  ])
