import type { Profile, ProfileType } from '../../../src/contract/profile.ts'
import { updateAccount } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockOrganisation } from '../../db/merchants/organisations.ts'
import { findProfile, updateOrganisation } from '../../db/profile.ts'
import { lockUser } from '../../db/accounts/loginUsers.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { staleRevision } from '../staleRevision.ts'
import { attachUpload } from '../attachUpload.ts'
import type { CheckedUpload } from '../uploads/checkUpload.ts'
import { checkLogo } from './logo.ts'
import {
  type AccountEdit,
  changedInAccount,
  changedInOrganisation,
  noteProfile,
  type OrganisationEdit,
} from './noteProfile.ts'
import { readProfile } from './readProfile.ts'

/** The `a` and `b` of PUT /merchant/{a}/{b}: they must be mine and belong together (cases ACL-04). */
interface Pair {
  type: ProfileType
  id: string
}

/** What a main account says about its organisation. Throws Refusal NOT_FOUND, STALE_REVISION, UPLOAD_UNKNOWN, INVALID_IMAGE. */
export async function editOrganisationProfile(deps: Deps, actor: Actor, pair: Pair, asked: OrganisationEdit) {
  await refuseUnlessMine(deps, actor, pair)
  const logo = typeof asked.logo === 'string' ? await newLogo(deps, actor, asked.logo) : asked.logo
  return inTurn(deps, actor, asked.revision, lockOrganisation, async (tx, current) => {
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
      ...(logoKey === undefined ? {} : { logoKey }),
    })
    await noteProfile(tx, actor, changedInOrganisation(current, asked), deps.clock.now())
  })
}

/** What a master or a branch says about itself. Throws Refusal NOT_FOUND, STALE_REVISION. */
export async function editAccountProfile(deps: Deps, actor: Actor, pair: Pair, asked: AccountEdit): Promise<Profile> {
  await refuseUnlessMine(deps, actor, pair)
  const values = { name: asked.name, contactName: asked.contact_name, contactNumber: asked.contact_number }
  const lock = (tx: Db) => lockUser(tx, actor.userId)
  return inTurn(deps, actor, asked.revision, lock, async (tx, current) => {
    await updateAccount(tx, actor.userId, values)
    await noteProfile(tx, actor, changedInAccount(current, asked), deps.clock.now())
  })
}

/** The logo that is saved already is no new one: a save whose answer was lost is sent with it again. */
async function newLogo(deps: Deps, actor: Actor, key: string): Promise<CheckedUpload | undefined> {
  const saved = await findProfile(deps.database.db, actor.userId)
  return saved?.organisation.logoKey === key ? undefined : checkLogo(deps, actor, key)
}

async function refuseUnlessMine(deps: Deps, actor: Actor, { type, id }: Pair): Promise<void> {
  const profile = await readProfile(deps, actor, id)
  if (profile.type !== type) throw new Refusal('NOT_FOUND')
}

/** One edit after the other, each from the state that the one before left. */
const inTurn = (
  deps: Deps,
  actor: Actor,
  revision: number,
  lock: (tx: Db, organisationId: string) => Promise<unknown>,
  write: (tx: Db, current: Profile) => Promise<void>,
): Promise<Profile> =>
  deps.database.db.transaction(async (tx: Db) => {
    await lock(tx, actor.organisation.id)
    const current = await readProfile(deps, actor, actor.userId, tx)
    if (current.revision !== revision) throw staleRevision(current)
    await write(tx, current)
    return readProfile(deps, actor, actor.userId, tx)
  })
