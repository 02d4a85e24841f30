import { DASHBOARD, type Attention, type EndingHold, type Invitation } from '../../../src/contract/dashboard.ts'
import { may } from '../../../src/domain/accounts/permissions.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import {
  holdsEndingBefore,
  inactivePosUsers,
  pendingInvitations,
  unusedPosUsers,
} from '../../db/dashboard/attention.ts'
import type { Db } from '../../db/engine/Database.ts'
import { countOpenMasters } from '../../db/masters.ts'
import { isPasswordOld } from '../accounts/passwords/passwordPolicy.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'

const ENDING_MS = DASHBOARD.endingHoldHours * 3_600_000

/** What the actor can look after, and nothing that only somebody else could. */
export async function needsAttention(db: Db, actor: Actor, inactive_branches: number, now: Date): Promise<Attention> {
  const { scope } = actor
  const most = DASHBOARD.namedRows
  const hasMasters = may(actor, { feature: 'masters', action: 'view' })
  const hasBranches = may(actor, { feature: 'branches', action: 'view' })
  const holds = await holdsEndingBefore(db, scope, new Date(now.getTime() + ENDING_MS), most)
  const invited = hasBranches ? await pendingInvitations(db, scope, hasMasters, most) : { count: 0, rows: [] }
  return {
    holds: { count: holds.count, rows: holds.rows.map(toEndingHold) },
    invitations: { count: invited.count, rows: invited.rows.map(toInvitation) },
    inactive_branches: hasBranches ? inactive_branches : 0,
    inactive_pos_users: await inactivePosUsers(db, scope, most),
    unused_pos_users: await unusedPosUsers(db, scope, singaporeDay(now), most),
    open_masters: hasMasters ? await countOpenMasters(db, scope) : null,
    password_set_at: isPasswordOld(actor.passwordChangedAt, now) ? actor.passwordChangedAt.toISOString() : null,
  }
}

type FoundHold = Awaited<ReturnType<typeof holdsEndingBefore>>['rows'][number]
const toEndingHold = ({ guid, till, branchName, cents, ends }: FoundHold): EndingHold => ({
  guid,
  till: till ?? '',
  branch_name: branchName,
  cents,
  // Both are there whenever a voucher is held; the database makes sure of it.
  ends: (ends ?? new Date(0)).toISOString(),
})

type FoundInvitation = Awaited<ReturnType<typeof pendingInvitations>>['rows'][number]
const toInvitation = ({
  type,
  accountId,
  branchId,
  name,
  email,
  createdAt,
  invitedAt,
}: FoundInvitation): Invitation => ({
  kind: type === 'Branch Merchant' ? 'branch' : 'master',
  guid: branchId ?? accountId,
  account_guid: accountId,
  name,
  email,
  created_at: createdAt.toISOString(),
  invited_at: invitedAt?.toISOString() ?? null,
})
