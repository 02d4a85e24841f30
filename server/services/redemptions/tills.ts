import { calculateJwkThumbprint } from 'jose'
import type { PublicKey } from '../../../src/contract/devices/deviceReports.ts'
import type { Till } from '../../../src/contract/redemptions/counter.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockTill, putTill } from '../../db/redemptions/tills.ts'
import type { Deps, Settings } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'

/** Gives the device `id` its name at the actor's branch. Holds that are made from now on carry it. Throws Refusal TILL_REVOKED, TILL_NOT_ENROLLED. */
export async function nameTill(
  { database, clock, settings }: Deps,
  actor: Actor,
  id: string,
  { name }: { name: string },
): Promise<Till> {
  // The permission is a POS user's, and a POS user has a branch.
  if (!actor.branch) throw new Refusal('FORBIDDEN')
  const branchId = actor.branch.id
  await database.db.transaction(async (tx: Db) => {
    const now = clock.now()
    const till = await lockTill(tx, branchId, id)
    await refuseTill(till, settings, actor)
    await putTill(tx, { id, branchId, name, namedBy: actor.userId, namedAt: now })
    const subject = { type: 'till', id, name } as const
    await noteActivity(tx, actor, { organisationId: actor.organisation.id, action: 'till.named', subject }, now)
  })
  return { guid: id, name, branch_guid: branchId }
}

interface KnownTill {
  enrolledAt: Date | null
  provenAt: Date | null
  revokedAt: Date | null
  publicKey: PublicKey | null
}

/**
 * Throws Refusal TILL_REVOKED; TILL_NOT_ENROLLED where the installation wants a code of a manager (decision 0079), and for another device
 * that has only the id of a till which proves its key (decision 0085).
 */
export async function refuseTill(
  till: KnownTill | undefined,
  { unenrolledTills }: Settings,
  actor: Pick<Actor, 'keyThumbprint'>,
): Promise<void> {
  if (till?.revokedAt) throw new Refusal('TILL_REVOKED')
  if (!till?.enrolledAt && unenrolledTills === 'refused') throw new Refusal('TILL_NOT_ENROLLED')
  if (till && (await isOtherDevice(till, actor))) throw new Refusal('TILL_NOT_ENROLLED')
}

/** It has the id of a till, and not its key. */
export const isOtherDevice = async (till: KnownTill, actor: Pick<Actor, 'keyThumbprint'>): Promise<boolean> =>
  till.enrolledAt !== null && till.provenAt !== null && !(await isKeyOf(till, actor))

/** Whether the actor's session belongs to the key of the till. */
export const isKeyOf = async (
  { publicKey }: Pick<KnownTill, 'publicKey'>,
  { keyThumbprint }: Pick<Actor, 'keyThumbprint'>,
): Promise<boolean> =>
  publicKey !== null && keyThumbprint !== undefined && (await calculateJwkThumbprint(publicKey)) === keyThumbprint
