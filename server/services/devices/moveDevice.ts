import type { DeviceRow } from '../../../src/contract/devices/devices.ts'
import { findBranch, holdBranchStatus } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import { freeGrants } from '../../db/redemptions/allowance.ts'
import { changeTill, findTill, IN_USE, putTill } from '../../db/redemptions/tills.ts'
import type { Scope } from '../../db/Scope.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { changeDevice } from './devices.ts'

/** A branch of the scope, active until the transaction ends. Throws Refusal NOT_FOUND, INVALID_STATE. */
export async function branchInUse(tx: Db, scope: Scope, id: string): Promise<{ guid: string; name: string }> {
  const branch = await findBranch(tx, scope, id)
  if (!branch) throw new Refusal('NOT_FOUND')
  if ((await holdBranchStatus(tx, id)) !== 'Active') throw new Refusal('INVALID_STATE')
  return branch
}

/**
 * Lets a till work at another branch: it is known there by its name and key, and gets no new holds here. Throws Refusal NOT_FOUND for a
 * till or a branch outside the scope, INVALID_STATE for a till that is not enrolled, revoked or there already, and for a branch that is not active.
 */
export function moveDevice(
  deps: Deps,
  actor: Actor,
  id: string,
  { branch_guid }: { branch_guid: string },
): Promise<DeviceRow> {
  return changeDevice(deps, actor, id, async (tx, found, now) => {
    const isIdle = found.enrolledAt === null || found.revokedAt !== null
    if (isIdle || found.branchId === branch_guid) throw new Refusal('INVALID_STATE')
    const to = await branchInUse(tx, actor.scope, branch_guid)
    const till = await findTill(tx, found.branchId, found.tillId)
    const named = { namedBy: actor.userId, namedAt: now }
    const { name, publicKey, enrolledAt, provenAt } = till!
    await putTill(tx, {
      id: found.tillId,
      branchId: branch_guid,
      name,
      publicKey,
      enrolledAt,
      provenAt,
      ...named,
      ...IN_USE,
    })
    await changeTill(tx, id, { revokedAt: now, movedTo: branch_guid })
    return { action: 'till.moved', details: { branch: to.name } } as const
  })
}

/**
 * Gives a till no new holds. What it redeemed before still counts, and is uploaded by the secrets of its holds. `remove`: with its next
 * report it is asked to remove what it stores. Throws Refusal NOT_FOUND.
 */
export function revokeDevice(
  deps: Deps,
  actor: Actor,
  id: string,
  { remove }: { remove: boolean },
): Promise<DeviceRow> {
  return changeDevice(deps, actor, id, async (tx, found, now) => {
    const removalAskedAt = remove ? (found.removalAskedAt ?? now) : found.removalAskedAt
    const isSame = found.revokedAt !== null && removalAskedAt === found.removalAskedAt
    if (isSame) return undefined
    await changeTill(tx, id, { revokedAt: found.revokedAt ?? now, removalAskedAt })
    await freeGrants(tx, id, now)
    return { action: 'till.revoked', details: remove ? { how: 'Asked to remove what it stores' } : {} } as const
  })
}
