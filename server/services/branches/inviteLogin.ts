import { v7 as uuidv7 } from 'uuid'
import { insertAccount } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Deps } from '../../Deps.ts'
import { sendActivationLink } from '../sendActivation.ts'

/** Makes the account that signs in as a branch, and mails its invitation. */
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
