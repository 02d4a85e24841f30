import { v7 as uuidv7 } from 'uuid'
import type { ActivityAction, ActivityDetail, ActivitySubject } from '../../../src/domain/activityLabels.ts'
import { insertForUser } from '../accounts/loginUsers.ts'
import type { Db } from '../engine/Database.ts'
import { activity } from '../schema/activity.ts'
import type { DecidedVia } from '../schema/merchants.ts'

/** An account that acts. The `Actor` of a call is a Person, too. */
export interface Person {
  userId: string
  loginName: string
  /** "Chrome on Windows". */
  device: string
  /** The branch that the account belongs to, which all its actions concern; `null` for an account without a branch. */
  branch: { id: string } | null
}

/** The provider, who has no account. */
type Provider = { provider: true; via: DecidedVia }

export type ActivityActor = Person | Provider

export interface ActivityEntry {
  /** The organisation whose log has the entry; `null` for entries about the programme. */
  organisationId: string | null
  action: ActivityAction
  subject: Subject
  /** The branch of the entry, if it is not the actor's own. */
  branchId?: string | null | undefined
  /** Additional facts. Never a password, a PIN, a token or a bank account. */
  details?: Partial<Record<ActivityDetail, string | number>>
}

export interface Subject {
  type: ActivitySubject
  id: string
  /** The current name. */
  name: string
}

/** Records who did what, in the transaction of the action. The database refuses later changes. */
export async function noteActivity(tx: Db, actor: ActivityActor, entry: ActivityEntry, now: Date): Promise<void> {
  await tx.insert(activity).values(rowOf(actor, entry, now))
}

/** Records the same if the user `userId` exists. */
export const noteActivityForUser = (
  tx: Db,
  actor: ActivityActor,
  { userId, ...entry }: ActivityEntry & { userId: string },
  now: Date,
) => insertForUser(tx, activity, userId, rowOf(actor, entry, now))

function rowOf(actor: ActivityActor, entry: ActivityEntry, now: Date): typeof activity.$inferInsert {
  const { organisationId, action, subject, branchId, details = {} } = entry
  const ownBranchId = 'branch' in actor ? (actor.branch?.id ?? null) : null
  return {
    id: uuidv7(),
    at: now,
    organisationId,
    ...columnsOf(actor),
    action,
    subjectType: subject.type,
    subjectId: subject.id,
    subjectName: subject.name,
    branchId: branchId ?? ownBranchId,
    details,
  }
}

const columnsOf = (actor: ActivityActor) =>
  'provider' in actor
    ? { userId: null, actor: 'Provider', via: actor.via, device: null }
    : { userId: actor.userId, actor: actor.loginName, via: 'portal' as const, device: actor.device }

/** Names a voucher by its last four digits: the terms of use promise that no log has a full serial. */
export const voucherSubject = ({ id, serial }: { id: string; serial: string }): Subject => ({
  type: 'voucher',
  id,
  name: `…${serial.slice(-4)}`,
})
