import type { DeviceRow } from '../../../src/contract/devices/devices.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Notice, Notices, TillConcern } from '../../../src/contract/notices.ts'
import { may } from '../../../src/domain/accounts/permissions.ts'
import { deviceConcerns, type DeviceConcern } from '../../../src/domain/devices/deviceConcerns.ts'
import { LINK_MINUTES } from '../../db/accounts/passwords.ts'
import { tillsWithLosses } from '../../db/allowance/lossTable.ts'
import { tillsInNeed } from '../../db/devices.ts'
import type { Db } from '../../db/engine/Database.ts'
import { actsOfProvider, unusedInvitations } from '../../db/notices.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { deviceRow } from '../devices/devices.ts'

/**
 * Returns the actor's notices. They are computed from the events and never stored, so a new feature cannot forget to write one, and a notice
 * disappears as soon as the actor may no longer see its event.
 */
export async function readNotices({ database: { db }, clock }: Deps, actor: Actor): Promise<Notices> {
  const now = clock.now()
  const since = new Date(now.getTime() - LIMITS.noticeDays * 24 * HOUR_MS)
  return {
    notices: [
      ...(await readLosses(db, actor, since)),
      ...(await readTillConcerns(db, actor, since, now)),
      ...(await expiredInvitations(db, actor, now)),
      ...(await readProviderActs(db, actor, since)),
    ],
  }
}

const HOUR_MS = 3_600_000
const earlier = (moment: Date, ms: number) => new Date(moment.getTime() - ms)

/** Returns the tills with losses. A later loss of the same till makes a new notice. */
async function readLosses(db: Db, { scope }: Actor, since: Date): Promise<Notice[]> {
  const found = await tillsWithLosses(db, scope, since, LIMITS.notices)
  return found.map(({ guid, name, branchName, newestAt, count, cents }) => ({
    kind: 'till',
    key: `lost ${guid} ${newestAt.getTime()}`,
    till: name ?? '',
    branch_name: branchName,
    concern: { is: 'lost', count, cents },
  }))
}

/** A hold of this age ends within two hours. */
const HELD_MS = (LIMITS.holdHours - 2) * HOUR_MS

async function readTillConcerns(db: Db, { scope }: Actor, since: Date, now: Date): Promise<Notice[]> {
  const times = { heard: { since, before: earlier(now, LIMITS.silentHours * HOUR_MS) }, held: earlier(now, HELD_MS) }
  const rows = (await tillsInNeed(db, scope, times, LIMITS.notices)).map(deviceRow)
  return rows.flatMap((row) =>
    deviceConcerns(row, now.getTime())
      .filter(isTillConcern)
      .map((concern) => ({
        kind: 'till' as const,
        key: `${concern.is} ${row.guid} ${keyPartOf(row, concern)}`,
        till: row.name,
        branch_name: row.branch_name,
        concern,
      })),
  )
}

/** Returns the part of a notice's key that changes with a later silence, or with one more held or late voucher. */
function keyPartOf({ report, late }: DeviceRow, { is, count }: TillConcern) {
  if (is === 'silent') return report?.heard_at
  return is === 'late' ? late.newest_at : count
}

const isTillConcern = (concern: DeviceConcern): concern is TillConcern =>
  concern.is === 'unsettled' || concern.is === 'silent' || concern.is === 'late'

/** Returns expired invitations, for actors who can send them again. If the link of a new mail expires too, there is a new notice. */
async function expiredInvitations(db: Db, actor: Actor, now: Date): Promise<Notice[]> {
  if (!may(actor, { feature: 'branches', action: 'view' })) return []
  const hasMasters = may(actor, { feature: 'masters', action: 'view' })
  const mailedBefore = earlier(now, LINK_MINUTES.activation * 60_000)
  const found = await unusedInvitations(db, actor.scope, hasMasters, mailedBefore)
  return found.map(({ type, accountId, branchId, name, email, mailedAt, count }) => ({
    kind: 'invitations expired',
    key: `invitation ${accountId} ${mailedAt?.getTime()}`,
    of: type === 'Branch Merchant' ? 'branch' : 'master',
    count,
    guid: branchId ?? accountId,
    name,
    email,
  }))
}

async function readProviderActs(db: Db, actor: Actor, since: Date): Promise<Notice[]> {
  const found = await actsOfProvider(db, actor, since, LIMITS.notices)
  return found.map(({ id, at, action, subject, branch_name, details }) => ({
    kind: 'act',
    key: id,
    at: at.toISOString(),
    action,
    subject,
    branch_name,
    details,
  }))
}
