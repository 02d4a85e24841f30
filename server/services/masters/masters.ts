import { v7 as uuidv7 } from 'uuid'
import type { Master } from '../../../src/contract/masters.ts'
import { countOpenMasters, insertAccount } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import { lockOrganisation } from '../../db/merchants/organisations.ts'
import type { Deps } from '../../Deps.ts'
import { LIMITS } from '../../../src/contract/limits.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { Refusal } from '../Refusal.ts'
import { refuseTaken, UNIQUE_EMAIL } from '../recordConflicts.ts'
import { sendActivationLink } from '../sendActivation.ts'
import { noteMaster } from './noteMaster.ts'
import { readMaster } from './readMaster.ts'

/**
 * Invites a master by mail. Throws Refusal ACCOUNT_LIMIT_EXCEEDED when five are Active or Pending Activation (spec §8, §9),
 * NAME_TAKEN for an e-mail that signs in already.
 */
export async function createMaster(
  deps: Deps,
  actor: Actor,
  { name, email }: { name: string; email: string },
): Promise<Master> {
  const { database, clock } = deps
  const { scope } = actor
  const [id, now] = [uuidv7(), clock.now()]
  const master = {
    id,
    organisationId: scope.organisationId,
    type: 'Additional Merchant',
    status: 'Pending Activation',
    loginName: email,
    name,
    createdAt: now,
  } as const
  await refuseTaken([UNIQUE_EMAIL], () =>
    database.db.transaction(async (tx: Db) => {
      await lockOrganisation(tx, scope.organisationId)
      if ((await countOpenMasters(tx, scope)) >= LIMITS.openMasters) throw new Refusal('ACCOUNT_LIMIT_EXCEEDED')
      await insertAccount(tx, master)
      await sendActivationLink(tx, deps, id)
      await noteMaster(tx, actor, { guid: id, name }, { action: 'master.created', details: { email } }, now)
    }),
  )
  deps.mailWaiting()
  return readMaster(database.db, scope, id)
}
