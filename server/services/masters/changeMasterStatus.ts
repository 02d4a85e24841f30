import { LIMITS } from '../../../src/contract/limits.ts'
import type { Master } from '../../../src/contract/masters.ts'
import {
  changeAccountStatus,
  countOpenMasters,
  revokeAccountAccess,
  unassignBranches,
} from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockOrganisation } from '../../db/merchants/organisations.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { sendActivationLink } from '../sendActivation.ts'
import { noteMaster } from './noteMaster.ts'
import { readMaster } from './readMaster.ts'

/**
 * Ends its sessions, and leaves its branches to the main account, in the same moment. Throws Refusal NOT_FOUND, INVALID_STATE.
 */
export function deactivateMaster({ database, clock }: Deps, actor: Actor, id: string): Promise<Master> {
  return database.db.transaction(async (tx: Db) => {
    const { scope } = actor
    const master = await readMaster(tx, scope, id)
    if (!(await changeAccountStatus(tx, id, ['Active', 'Pending Activation'], 'Inactive'))) {
      throw new Refusal('INVALID_STATE')
    }
    await revokeAccountAccess(tx, id, clock.now())
    await unassignBranches(tx, id)
    await noteMaster(tx, actor, master, { action: 'master.deactivated' }, clock.now())
    return readMaster(tx, scope, id)
  })
}

/**
 * Back to where it was; one that was never activated is invited again, for its link has ended. Throws Refusal NOT_FOUND,
 * INVALID_STATE, ACCOUNT_LIMIT_EXCEEDED.
 */
export async function reactivateMaster(deps: Deps, actor: Actor, id: string): Promise<Master> {
  const { scope } = actor
  const master = await deps.database.db.transaction(async (tx: Db) => {
    await lockOrganisation(tx, scope.organisationId)
    await readMaster(tx, scope, id)
    if (!(await changeAccountStatus(tx, id, ['Inactive'], 'as it was'))) throw new Refusal('INVALID_STATE')
    if ((await countOpenMasters(tx, scope)) > LIMITS.openMasters) throw new Refusal('ACCOUNT_LIMIT_EXCEEDED')
    const { status } = await readMaster(tx, scope, id)
    if (status === 'Pending Activation') await sendActivationLink(tx, deps, id)
    const found = await readMaster(tx, scope, id)
    await noteMaster(tx, actor, found, { action: 'master.reactivated' }, deps.clock.now())
    return found
  })
  deps.mailWaiting()
  return master
}
