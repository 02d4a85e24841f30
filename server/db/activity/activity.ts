import { v7 as uuidv7 } from 'uuid'
import type { ActivityAction, ActivityDetail, ActivitySubject } from '../../../src/domain/activityLabels.ts'
import { insertForUser } from '../accounts/loginUsers.ts'
import type { Db } from '../engine/Database.ts'
import { activity } from '../schema/activity.ts'
import type { DecidedVia } from '../schema/merchants.ts'

/** An account that acts. A logged-in actor is one. */
export interface Person {
  userId: string
  loginName: string
  /** "Chrome on Windows". */
  device: string
  /** Of an account that belongs to one: all that it does concerns this branch. */
  branch: { id: string } | null
}

/** The provider has no account. */
type Provider = { provider: true; via: DecidedVia }

export type ActivityActor = Person | Provider

export interface ActivityEntry {
  /** Whose log it belongs to; `null` for what concerns the programme. */
  organisationId: string | null
  action: ActivityAction
  subject: Subject
  /** The branch that it concerns, where that is not the actor's own. */
  branchId?: string | null | undefined
  /** Facts beside it. Never a password, a PIN, a token or a bank account. */
  details?: Partial<Record<ActivityDetail, string | number>>
}

export interface Subject {
  type: ActivitySubject
  id: string
  /** As it is called now. */
  name: string
}

/** Writes down who did what, in the transaction of what was done. The database lets nobody change it afterwards. */
export async function noteActivity(tx: Db, actor: ActivityActor, entry: ActivityEntry, now: Date): Promise<void> {
  await tx.insert(activity).values(rowOf(actor, entry, now))
}

/** The same, if there is a user `userId`. */
export const noteActivityForUser = (tx: Db, userId: string, actor: ActivityActor, entry: ActivityEntry, now: Date) =>
  insertForUser(tx, activity, userId, rowOf(actor, entry, now))

function rowOf(actor: ActivityActor, entry: ActivityEntry, now: Date): typeof activity.$inferInsert {
  const { organisationId, action, subject, branchId, details = {} } = entry
  const own = 'branch' in actor ? (actor.branch?.id ?? null) : null
  return {
    id: uuidv7(),
    at: now,
    organisationId,
    ...columnsOf(actor),
    action,
    subjectType: subject.type,
    subjectId: subject.id,
    subjectName: subject.name,
    branchId: branchId ?? own,
    details,
  }
}

const columnsOf = (actor: ActivityActor) =>
  'provider' in actor
    ? { userId: null, actor: 'Provider', via: actor.via, device: null }
    : { userId: actor.userId, actor: actor.loginName, via: 'portal' as const, device: actor.device }

/** A voucher as a log may name it: the terms of use promise that no log holds a full number. */
export const voucherSubject = ({ id, serial }: { id: string; serial: string }): Subject => ({
  type: 'voucher',
  id,
  name: `…${serial.slice(-4)}`,
})
