import { v7 as uuidv7 } from 'uuid'
import type * as v from 'valibot'
import type { Branch, BranchContact, BusinessInformation } from '../../../src/contract/branches.ts'
import type { FieldIssue } from '../../../src/contract/envelope.ts'
import { insertAccount } from '../../db/accounts/accounts.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockOpenMaster } from '../../db/masters.ts'
import type { Deps } from '../../Deps.ts'
import { sendActivationLink } from '../accounts/invitations.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { changedFields, oldName } from '../activity/activity.ts'
import { Refusal } from '../Refusal.ts'

/** The fields of every branch form; the form of an adhoc branch has its days too. */
export interface BranchForm {
  name: string
  code: string
  /** Null for a branch without a login. */
  email: string | null
  business: v.InferOutput<typeof BusinessInformation>
  financial_contact: v.InferOutput<typeof BranchContact>
  master_guid: string | null
  from_day?: string
  to_day?: string
}

/** Returns the columns that the form fills. A form with days is that of an adhoc branch. */
export const columnsOf = ({ name, code, business, financial_contact, from_day, to_day }: BranchForm) => ({
  name,
  code,
  business,
  financialContact: financial_contact,
  ...(from_day === undefined ? {} : { kind: 'adhoc' as const, fromDay: from_day, toDay: to_day }),
})

/**
 * Returns the master of a branch that `actor` creates or edits, locked so that it cannot be deactivated meanwhile. A master always manages its own
 * branches. Throws Refusal VALIDATION_FAILED unless the chosen master belongs to the organisation and is active or invited, FORBIDDEN for an actor
 * that was deactivated meanwhile.
 */
export async function lockChosenMaster(tx: Db, actor: Actor, asked: string | null): Promise<string | null> {
  if (actor.type === 'Additional Merchant') {
    if (asked !== null && asked !== actor.userId) throw noMasterRefusal()
    // The acting master has just been deactivated.
    if (!(await lockOpenMaster(tx, actor.scope, actor.userId))) throw new Refusal('FORBIDDEN')
    return actor.userId
  }
  if (asked === null) return null
  if (!(await lockOpenMaster(tx, actor.scope, asked))) throw noMasterRefusal()
  return asked
}

export const noMaster: FieldIssue = {
  path: 'master_guid',
  rule: 'master',
  message: 'must be an active master of this organisation',
}

const noMasterRefusal = () => new Refusal('VALIDATION_FAILED', { fields: [noMaster] })

/** Creates the account that logs in as a branch, and mails its invitation. */
export async function inviteLogin(
  tx: Db,
  deps: Deps,
  { id: branchId, organisationId, name }: { id: string; organisationId: string; name: string },
  email: string,
): Promise<void> {
  const id = uuidv7()
  await insertAccount(tx, {
    id,
    organisationId,
    branchId,
    type: 'Branch Merchant',
    status: 'Pending Activation',
    loginName: email,
    name,
    createdAt: deps.clock.now(),
  })
  await sendActivationLink(tx, deps, id)
}

/** Returns the facts of an activity entry about a branch of the actor's organisation. */
export const branchTarget = (actor: Actor, { id, name }: { id: string; name: string }) => ({
  organisationId: actor.organisation.id,
  subject: { type: 'branch', id, name } as const,
  branchId: id,
})

/**
 * Logs what an edit has changed, and nothing if all is the same. The PIN and the login's email get their own entries. `before` is the branch before
 * the edit.
 */
export async function noteBranchEdit(
  tx: Db,
  actor: Actor,
  { before, asked }: { before: Branch; asked: BranchForm & { pin?: string | undefined } },
  now: Date,
): Promise<void> {
  const target = branchTarget(actor, { id: before.guid, name: asked.name })
  const changed = changedBranchFields(before, asked)
  if (changed) {
    const details = { changed, ...oldName(before.name, asked.name) }
    await noteActivity(tx, actor, { action: 'branch.edited', ...target, details }, now)
  }
  if (before.email !== asked.email) {
    const details = {
      ...(before.email === null ? {} : { old_email: before.email }),
      ...(asked.email === null ? {} : { email: asked.email }),
    }
    await noteActivity(tx, actor, { action: 'account.email_changed', ...target, details }, now)
  }
  if (asked.pin !== undefined) await noteActivity(tx, actor, { action: 'branch.pin_changed', ...target }, now)
}

function changedBranchFields(before: Branch, asked: BranchForm): string | undefined {
  const [oldBusiness, newBusiness] = [before.business, asked.business]
  return changedFields([
    ['name', before.name, asked.name],
    ['branch code', before.code, asked.code],
    ['address', oldBusiness?.address, newBusiness.address],
    ['postal code', oldBusiness?.postal_code, newBusiness.postal_code],
    ['contact number', oldBusiness?.contact_number, newBusiness.contact_number],
    ['operating hours', oldBusiness?.operating_hours, newBusiness.operating_hours],
    ['financial contact', before.financial_contact, asked.financial_contact],
    ['master', before.master_guid, asked.master_guid],
    ['first day', before.from_day, asked.from_day],
    ['last day', before.to_day, asked.to_day],
  ])
}
