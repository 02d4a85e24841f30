import type * as v from 'valibot'
import type { AccountProfileEdit, OrganisationProfileEdit, Profile } from '../../../src/contract/profile.ts'
import { noteActivity } from '../../db/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { findOwnUser } from '../../db/accounts/loginUsers.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { changedFields } from '../changedFields.ts'
import { activityTarget } from '../activity/activityTarget.ts'

export type OrganisationEdit = v.InferOutput<typeof OrganisationProfileEdit>
export type AccountEdit = v.InferOutput<typeof AccountProfileEdit>

/** Writes down which fields of its profile `actor` has changed; saving what was there already is no act. */
export async function noteProfile(tx: Db, actor: Actor, changed: string | undefined, now: Date): Promise<void> {
  if (changed === undefined) return
  const user = await findOwnUser(tx, actor.userId)
  if (!user) return
  const about = activityTarget(user)
  // A main account speaks for the organisation.
  const { id, name } = actor.organisation
  const subject = about.subject.type === 'account' ? ({ type: 'organisation', id, name } as const) : about.subject
  await noteActivity(tx, actor, { ...about, action: 'profile.edited', subject, details: { changed } }, now)
}

export const changedInOrganisation = (before: Profile, asked: OrganisationEdit) =>
  changedFields([
    ['company name', before.company_name, asked.company_name],
    ['address', before.address, asked.address],
    ['contact name', before.contact_name, asked.contact_name],
    ['contact number', before.contact_number, asked.contact_number],
    ['contact email', before.contact_email, asked.contact_email],
    ['voucher verification method', before.verification_method, asked.verification_method],
    ['monthly summary', before.monthly_summary.enabled, asked.monthly_summary_enabled],
    ['report recipients', before.monthly_summary.recipients, asked.recipients],
    // Absent, it stays.
    ['company logo', before.logo_key, asked.logo === undefined ? before.logo_key : asked.logo],
  ])

export const changedInAccount = (before: Profile, asked: AccountEdit) =>
  changedFields([
    ['name', before.name, asked.name],
    ['contact name', before.contact_name, asked.contact_name],
    ['contact number', before.contact_number, asked.contact_number],
  ])
