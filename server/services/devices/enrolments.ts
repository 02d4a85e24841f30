import { v7 as uuidv7 } from 'uuid'
import type { DeviceRow } from '../../../src/contract/devices/devices.ts'
import type { EnrolledTill, Enrolment } from '../../../src/contract/devices/enrolment.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import { endGrantsOfTill } from '../../db/allowance/grants.ts'
import { findBranch, lockBranchStatus } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import {
  consumeEnrolment,
  findEnrolment,
  findEnrolmentOrigin,
  findUsedEnrolment,
  insertEnrolment,
} from '../../db/enrolments.ts'
import { changeTill, findTill, TILL_IN_USE, lockTill, upsertTill } from '../../db/redemptions/tills.ts'
import type { Scope } from '../../db/Scope.ts'
import { THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor, Caller } from '../accounts/sessions/Actor.ts'
import { hashToken, newReadableCode, newToken } from '../opaqueToken.ts'
import { isOtherDevice, type NamedTill } from '../redemptions/tills.ts'
import { Refusal } from '../Refusal.ts'
import { networkOf, refuseBeyond, refuseWhileBlocked } from '../throttles.ts'
import { changeDevice } from './devices.ts'

/**
 * Creates a code with which one device becomes the till `name` of the branch (decision 0079). Throws Refusal NOT_FOUND for a branch outside the
 * actor's scope, INVALID_STATE for a branch that is not active.
 */
export async function addDevice(
  { database, clock }: Deps,
  actor: Actor,
  { branch_guid, name }: { branch_guid: string; name: string },
): Promise<Enrolment> {
  // 40 bits are enough: the code is good for 15 minutes and for one device, and ten wrong codes lock a network out for 15 minutes.
  const [id, code, now] = [uuidv7(), newReadableCode(8), clock.now()]
  const expiresAt = new Date(now.getTime() + LIMITS.enrolmentMinutes * 60_000)
  const branchName = await database.db.transaction(async (tx: Db) => {
    const branch = await lockActiveBranch(tx, actor.scope, branch_guid)
    const made = { id, branchId: branch.guid, name, codeHash: hashToken(code), createdBy: actor.userId, expiresAt }
    await insertEnrolment(tx, made)
    const { organisation } = actor
    const subject = { type: 'branch', id: branch.guid, name: branch.name } as const
    const entry = { organisationId: organisation.id, action: 'till.invited', subject, branchId: branch.guid } as const
    await noteActivity(tx, actor, { ...entry, details: { till: name } }, now)
    return branch.name
  })
  return { guid: id, code, branch_name: branchName, expires_at: expiresAt.toISOString() }
}

/** Returns when a code of the actor's scope expires, and when it was used. Throws Refusal NOT_FOUND. */
export async function readEnrolment({ database: { db } }: Deps, { scope }: Actor, id: string) {
  const found = await findEnrolment(db, scope, id)
  if (!found) throw new Refusal('NOT_FOUND')
  return { expires_at: found.expiresAt.toISOString(), used_at: found.usedAt?.toISOString() ?? null }
}

/**
 * Makes the device `id` a till of the code's branch, with or without a login. From now on its new cookie identifies it, and earlier cookies no longer
 * do. When two devices use the same code, only one is enrolled. Throws Refusal ENROLMENT_CODE_WRONG, TOO_MANY_ATTEMPTS.
 */
export async function enrolDevice(
  { database, clock }: Deps,
  caller: Pick<Caller, 'ipAddress' | 'device'>,
  id: string,
  { code, branch_guid: branchId }: { code: string; branch_guid?: string | undefined },
): Promise<NamedTill<EnrolledTill>> {
  // No wall applies, because the code says which branch, and there may be no session.
  const { db } = database.forAllTenants()
  const [network, now] = [networkOf(caller.ipAddress), clock.now()]
  await refuseWhileBlocked(db, THROTTLES.enrolmentCode, network, now)
  const token = newToken()
  const asked = { branchId, codeHash: hashToken(code), tillId: id, tokenHash: hashToken(token) }
  const till = await db.transaction((tx: Db) => enrolTill(tx, caller, asked, now))
  if (till) return { till, token }
  await refuseBeyond(db, THROTTLES.enrolmentCode, network, now)
  throw new Refusal('ENROLMENT_CODE_WRONG')
}

interface AskedEnrolment {
  branchId: string | undefined
  codeHash: string
  tillId: string
  /** The hash of the new cookie. */
  tokenHash: string
}

/** Returns the till; `undefined` for a code that does not work. */
async function enrolTill(
  tx: Db,
  { device }: Pick<Caller, 'device'>,
  asked: AskedEnrolment,
  now: Date,
): Promise<EnrolledTill | undefined> {
  const { tillId: id, tokenHash } = asked
  const enrolment = await consumeEnrolment(tx, asked, now)
  if (!enrolment) return enrolAgain(tx, asked, now)
  const { name, branchId, createdBy } = enrolment
  const named = { id, branchId, name, namedBy: createdBy, namedAt: now }
  await upsertTill(tx, { ...named, tokenHash, enrolledAt: now, ...TILL_IN_USE })
  const { organisationId, branchName, ...manager } = await findEnrolmentOrigin(tx, enrolment.id)
  const subject = { type: 'till', id, name } as const
  // The manager's code is what enrols the device, whoever holds it.
  const actor = { ...manager, device, branch: { id: branchId } }
  await noteActivity(tx, actor, { organisationId, action: 'till.enrolled', subject }, now)
  return { guid: id, name, branch_guid: branchId, branch_name: branchName }
}

/**
 * Gives another new cookie to the device that has used this code, if it asks again before the code expires: the answer with the cookie may have been
 * lost.
 */
async function enrolAgain(tx: Db, asked: AskedEnrolment, now: Date): Promise<EnrolledTill | undefined> {
  const used = await findUsedEnrolment(tx, asked, now)
  const till = used && (await lockTill(tx, used.branchId, asked.tillId))
  if (!till || till.revokedAt) return undefined
  await changeTill(tx, till.guid, { tokenHash: asked.tokenHash })
  const { branchName } = await findEnrolmentOrigin(tx, used.id)
  return { guid: asked.tillId, name: till.name, branch_guid: used.branchId, branch_name: branchName }
}

/** Returns the till that the device `id` is at the actor's branch; null for a device that was never a till there. */
export async function readTill({ database: { db } }: Deps, actor: Actor, id: string) {
  const till = actor.branch && (await findTill(db, actor.branch.id, id))
  if (!till) return null
  const { name, branchId, revokedAt } = till
  const enrolled = till.enrolledAt !== null && !isOtherDevice(till, actor)
  return { guid: id, name, branch_guid: branchId, enrolled, revoked: revokedAt !== null }
}

/** Returns a branch of the scope, and keeps it active until the transaction ends. Throws Refusal NOT_FOUND, INVALID_STATE. */
async function lockActiveBranch(tx: Db, scope: Scope, id: string): Promise<{ guid: string; name: string }> {
  const branch = await findBranch(tx, scope, id)
  if (!branch) throw new Refusal('NOT_FOUND')
  if ((await lockBranchStatus(tx, id)) !== 'Active') throw new Refusal('INVALID_STATE')
  return branch
}

/**
 * Moves a till to another branch. The till keeps its name and cookie there, and gets no new holds at its old branch. Throws Refusal NOT_FOUND for a
 * till or a branch outside the scope, INVALID_STATE for a till that is not enrolled, revoked or there already, and for a branch that is not active.
 */
export function moveDevice(
  deps: Deps,
  actor: Actor,
  id: string,
  { branch_guid }: { branch_guid: string },
): Promise<DeviceRow> {
  return changeDevice(deps, actor, id, async (tx, found, now) => {
    const isNoTill = found.enrolledAt === null || found.revokedAt !== null
    if (isNoTill || found.branchId === branch_guid) throw new Refusal('INVALID_STATE')
    const newBranch = await lockActiveBranch(tx, actor.scope, branch_guid)
    const till = await findTill(tx, found.branchId, found.tillId)
    const named = { namedBy: actor.userId, namedAt: now }
    const { name, tokenHash, enrolledAt } = till!
    await changeTill(tx, id, { revokedAt: now, movedTo: branch_guid, tokenHash: null })
    await upsertTill(tx, {
      id: found.tillId,
      branchId: branch_guid,
      name,
      tokenHash,
      enrolledAt,
      ...named,
      ...TILL_IN_USE,
    })
    return { action: 'till.moved', details: { branch: newBranch.name } } as const
  })
}

/**
 * Revokes a till, so that it gets no new holds. Its earlier redemptions still count, and are uploaded with the secrets of their holds. `remove` makes
 * the answer to its next report ask it to remove its stored data. Throws Refusal NOT_FOUND.
 */
export function revokeDevice(
  deps: Deps,
  actor: Actor,
  id: string,
  { remove }: { remove: boolean },
): Promise<DeviceRow> {
  return changeDevice(deps, actor, id, async (tx, found, now) => {
    const removalRequestedAt = remove ? (found.removalRequestedAt ?? now) : found.removalRequestedAt
    const isUnchanged = found.revokedAt !== null && removalRequestedAt === found.removalRequestedAt
    if (isUnchanged) return undefined
    await changeTill(tx, id, { revokedAt: found.revokedAt ?? now, removalRequestedAt })
    await endGrantsOfTill(tx, id, now)
    return { action: 'till.revoked', details: remove ? { how: 'Asked to remove what it stores' } : {} } as const
  })
}
