import type { myInfo as endpoint } from '../../../src/contract/accounts/account.ts'
import type { AnswerOf } from '../../../src/contract/endpoint.ts'
import { permissionsOf } from '../../../src/domain/accounts/permissions.ts'
import { findMfaFacts } from '../../db/accounts/mfa.ts'
import type { Deps } from '../../Deps.ts'
import { requiresPin } from '../branches/branchPin.ts'
import { isPasswordOld } from './passwords/passwordPolicy.ts'
import type { Actor } from './sessions/Actor.ts'

/** Returns the actor and its permissions in the fields of the contract. */
export const readMyInfo = async (deps: Deps, actor: Actor): Promise<AnswerOf<typeof endpoint>> => ({
  user: {
    guid: actor.userId,
    type: actor.type,
    status: actor.status,
    login_name: actor.loginName,
    organisation_guid: actor.organisation.id,
    organisation_name: actor.organisation.name,
    merchant_id: actor.organisation.merchantId,
    branch_guid: actor.branch?.id ?? null,
    branch_name: actor.branch?.name ?? null,
  },
  permissions: permissionsOf(actor.type, actor.status),
  password_expired_prompt: isPasswordOld(actor.passwordChangedAt, deps.clock.now()),
  session: {
    guid: actor.sessionId,
    idle_seconds: actor.session.idleSeconds,
    ends_at: actor.session.endsAt.toISOString(),
  },
  ...(actor.type === 'POS User'
    ? { counter: { pin_required: requiresPin(actor), unenrolled_tills: deps.settings.unenrolledTills ?? 'allowed' } }
    : { mfa: await readMfaState(deps, actor) }),
})

async function readMfaState({ database, settings }: Deps, { userId }: Actor) {
  const facts = await findMfaFacts(database.db, userId)
  return {
    required: settings.mfa === 'required',
    enabled_at: facts?.enabledAt.toISOString() ?? null,
    recovery_codes_left: facts?.codesLeft ?? 0,
  }
}
