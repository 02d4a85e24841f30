import { v7 as uuidv7 } from 'uuid'
import type { ImportedBranch } from '../../../src/contract/imports.ts'
import { insertAccounts } from '../../db/accounts/accounts.ts'
import { insertFirstLinks } from '../../db/accounts/passwords.ts'
import type { Db } from '../../db/engine/Database.ts'
import { queueMails } from '../../db/mailOutbox.ts'
import type { Deps } from '../../Deps.ts'
import { activationMail } from '../../mail/passwordLinkMails.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { hashToken, newToken } from '../opaqueToken.ts'
import type { Row } from './Batch.ts'

/** Five a second, so that a mail somebody waits for, such as a password link, is not sent after five thousand invitations. */
const BETWEEN_MAILS_MS = 200

/**
 * Makes the logins of branches and puts their invitations out, like `inviteLogin` for many at once. Returns the branches whose
 * email was free.
 */
export async function inviteLogins(tx: Db, deps: Deps, actor: Actor, branches: NewBranch[]): Promise<Set<string>> {
  const now = deps.clock.now()
  const logins = branches.map((branch) => ({ branch, id: uuidv7(), token: newToken() }))
  const made = await insertAccounts(
    tx,
    'merchant',
    logins.map(({ id, branch }) => ({
      id,
      organisationId: actor.scope.organisationId,
      branchId: branch.id,
      type: 'Branch Merchant',
      status: 'Pending Activation',
      loginName: branch.record.email,
      name: branch.record.name,
      createdAt: now,
    })),
  )
  const invited = logins.filter(({ id }) => made.has(id))
  const links = invited.map(({ id, token }) => ({
    userId: id,
    kind: 'activation' as const,
    tokenHash: hashToken(token),
  }))
  await insertFirstLinks(tx, links, now)
  const mails = invited.map(({ branch, token }) =>
    Object.assign(activationMail(deps.settings, 'invitation', addressee(actor, branch), token, now), {
      notBefore: new Date(now.getTime() + branch.number * BETWEEN_MAILS_MS),
    }),
  )
  await queueMails(tx, mails, now)
  return new Set(invited.map(({ branch }) => branch.id))
}

const addressee = ({ organisation }: Actor, { record }: NewBranch) => ({
  loginName: record.email,
  organisationName: organisation.name,
})

/** A row on its way, with what was made up for it. */
export interface NewBranch extends Row<ImportedBranch> {
  id: string
  pinHash: string
}
