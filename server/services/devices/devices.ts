import type { Device as DeviceAnswer, DeviceRow, UnsettledHold } from '../../../src/contract/devices/devices.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import { noteActivity, type ActivityEntry } from '../../db/activity/activity.ts'
import { deviceTable, type FoundDevice } from '../../db/devices.ts'
import type { Db } from '../../db/engine/Database.ts'
import { unsettledOfTill } from '../../db/redemptions/holds.ts'
import { lastLateUploadReview, reviewLateUploads, settledByHand } from '../../db/redemptions/lateUploads.ts'
import { changeTill } from '../../db/redemptions/tills.ts'
import { selectRow } from '../../db/tables/TableSource.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import type { Listing } from '../tables/readTable.ts'

/** Returns the time before which a hold must have begun to count as unsettled: the cashier had ten minutes to decide. */
const unsettledBefore = (now: Date) => new Date(now.getTime() - LIMITS.confirmMinutes * 60_000)

const tableOf = (now: Date) => deviceTable(unsettledBefore(now))

export const deviceListing = (now: Date): Listing<FoundDevice, DeviceRow, 'device'> => ({
  table: tableOf(now),
  rowOf: deviceRow,
  title: 'Tills',
})

export function deviceRow(found: FoundDevice & { id: string }): DeviceRow {
  return {
    guid: found.id,
    till_guid: found.tillId,
    name: found.name,
    branch_guid: found.branchId,
    branch_name: found.branchName,
    named_at: found.namedAt.toISOString(),
    enrolled_at: found.enrolledAt?.toISOString() ?? null,
    revoked_at: found.revokedAt?.toISOString() ?? null,
    moved_to: found.movedTo,
    removal_requested_at: found.removalRequestedAt?.toISOString() ?? null,
    removed_at: found.removedAt?.toISOString() ?? null,
    unsettled: { count: found.unsettledCount, cents: found.unsettledCents },
    late: { count: found.lateCount, cents: found.lateCents, newest_at: found.lateNewestAt?.toISOString() ?? null },
    allowance_out_cents: found.openAllowanceCents,
    report: found.heardAt === null ? null : reportOf(found, found.heardAt),
  }
}

/** Returns the report in the fields of the contract. Its columns are never null, but the types of a left join cannot say so. */
const reportOf = (found: FoundDevice, heardAt: Date): DeviceRow['report'] => ({
  heard_at: heardAt.toISOString(),
  clock_offset_ms: found.clockOffsetMs ?? 0,
  build: found.build ?? '',
  update_waits: found.updateWaits ?? false,
  browser: found.browser ?? '',
  persistent: found.persistent,
  waiting: {
    count: found.waitingCount ?? 0,
    cents: found.waitingCents ?? 0,
    oldest_at: found.oldestWaitingAt?.toISOString() ?? null,
  },
  refused: found.refused ?? 0,
  user: found.userName,
})

/** Returns a till of the actor's scope. Throws Refusal NOT_FOUND. */
export async function readDevice(
  { database: { db }, clock }: Deps,
  { scope }: Actor,
  id: string,
): Promise<DeviceAnswer> {
  const now = clock.now()
  const found = await selectRow(db, tableOf(now), scope, id)
  if (!found) throw new Refusal('NOT_FOUND')
  const review = await lastLateUploadReview(db, id)
  const reviewed = review ? { at: review.at.toISOString(), by: review.by } : null
  const held = await unsettledOfTill(db, id, unsettledBefore(now), LIMITS.listRows)
  const byHand = await settledByHand(db, id, LIMITS.listRows)
  return {
    ...deviceRow(found),
    unsettled_holds: held.map((one) => unsettledHold(one, now)),
    settled_by_hand: byHand.map(settledHold),
    reviewed,
  }
}

const settledHold = (
  found: Awaited<ReturnType<typeof settledByHand>>[number],
): DeviceAnswer['settled_by_hand'][number] => ({
  id: found.id,
  serial: found.serial,
  denomination_cents: found.denominationCents,
  redeemed_at: found.redeemedAt.toISOString(),
  by: found.by,
  reason: found.reason,
})

type FoundHold = Awaited<ReturnType<typeof unsettledOfTill>>[number]

const unsettledHold = (found: FoundHold, now: Date): UnsettledHold => ({
  id: found.id,
  voucher_guid: found.voucherId,
  serial: found.serial,
  denomination_cents: found.denominationCents,
  pos_username: found.posUsername,
  since: found.since.toISOString(),
  ends: found.endsAt.toISOString(),
  can_be_settled: found.endsAt > now,
})

type Device = FoundDevice & { id: string }

/**
 * Changes a till of the actor's scope, and logs the actor. `change` returns the action to log, or undefined when it changed nothing. Throws Refusal
 * NOT_FOUND and the errors of `change`.
 */
export function changeDevice(
  { database, clock }: Deps,
  actor: Actor,
  id: string,
  change: (tx: Db, found: Device, now: Date) => Promise<Pick<ActivityEntry, 'action' | 'details'> | undefined>,
): Promise<DeviceRow> {
  return database.db.transaction(async (tx: Db) => {
    const now = clock.now()
    const found = await selectRow(tx, tableOf(now), actor.scope, id)
    if (!found) throw new Refusal('NOT_FOUND')
    const done = await change(tx, found, now)
    const after = (await selectRow(tx, tableOf(now), actor.scope, id)) ?? found
    if (done) {
      const subject = { type: 'till', id: found.tillId, name: after.name } as const
      const { organisation } = actor
      await noteActivity(
        tx,
        actor,
        { organisationId: organisation.id, subject, branchId: found.branchId, ...done },
        now,
      )
    }
    return deviceRow(after)
  })
}

/** Renames a till of the actor's scope. Throws Refusal NOT_FOUND. */
export const renameDevice = (deps: Deps, actor: Actor, id: string, { name }: { name: string }): Promise<DeviceRow> =>
  changeDevice(deps, actor, id, async (tx, found) => {
    if (found.name === name) return undefined
    await changeTill(tx, id, { name })
    return { action: 'till.renamed', details: { old_name: found.name } }
  })

/** Notes that the actor has reviewed the late uploads of a till up to `until`. Later uploads need another review. Throws Refusal NOT_FOUND. */
export const reviewDevice = (deps: Deps, actor: Actor, id: string, { until }: { until: string }): Promise<DeviceRow> =>
  changeDevice(deps, actor, id, async (tx, _, now) => {
    const { count, cents } = await reviewLateUploads(tx, id, new Date(until), {
      reviewedAt: now,
      reviewedBy: actor.userId,
    })
    return count === 0 ? undefined : { action: 'till.reviewed', details: { count, amount_cents: cents } }
  })
