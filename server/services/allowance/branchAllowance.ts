import type { BodyOf } from '../../../src/contract/endpoint.ts'
import type { AllowanceRules } from '../../../src/contract/redemptions/allowance.ts'
import type {
  BranchAllowance,
  changeAllowance as changeAllowanceEndpoint,
} from '../../../src/contract/redemptions/allowanceEndpoints.ts'
import { isMainAccount } from '../../../src/domain/accounts/permissions.ts'
import { singaporeDay, startOfDay } from '../../../src/domain/singaporeTime.ts'
import { findOwnUser, lockUser } from '../../db/accounts/loginUsers.ts'
import { findMfa } from '../../db/accounts/mfa.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import { readOpenAllowance, findAllowanceOf, putAllowance } from '../../db/allowance/grants.ts'
import { findBranch, lockBranch } from '../../db/branches/branches.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Deps } from '../../Deps.ts'
import { commitThenThrow, mfaCodeRefusal } from '../accounts/mfa/mfaCodes.ts'
import { checkOwnPassword, wrongPassword } from '../accounts/passwords/checkOwnPassword.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { branchTarget } from '../branches/branchForm.ts'
import { Refusal } from '../Refusal.ts'
import { blockedBy, storedRules } from './grantAllowance.ts'

/**
 * Returns what the tills of a branch may accept, and the amounts granted to them now. Throws Refusal NOT_FOUND for a branch outside the actor's
 * scope.
 */
export async function readAllowance(deps: Deps, { scope }: Actor, id: string): Promise<BranchAllowance> {
  const { db } = deps.database
  const today = singaporeDay(deps.clock.now())
  const found = (await findBranch(db, scope, id)) && (await findAllowanceOf(db, id))
  if (!found) throw new Refusal('NOT_FOUND')
  const out = await readOpenAllowance(db, id, startOfDay(today))
  return {
    rules: storedRules(found.rules) ?? null,
    blocked: await blockedBy(deps.database.forAllTenants().db, found, today),
    accepted_today_cents: out.acceptedToday,
    tills: out.tills.map(({ guid, name, cents, endsAt, why }) => {
      return { guid, name, cents, ends_at: endsAt?.toISOString() ?? null, why }
    }),
  }
}

/**
 * Sets what the tills of a branch may accept without a check. Throws Refusal FORBIDDEN for any actor but a main account, NOT_FOUND, REAUTH_REQUIRED
 * without an authenticator app, MFA_CODE_WRONG, and the codes of `checkOwnPassword`.
 */
export async function changeAllowance(
  deps: Deps,
  actor: Actor,
  id: string,
  asked: BodyOf<typeof changeAllowanceEndpoint>,
): Promise<BranchAllowance> {
  const { db } = deps.database
  await refuseUnlessMain(db, actor, id)
  const self = await findOwnUser(db, actor.userId)
  if (!self || !(await findMfa(db, self.id))) throw new Refusal('REAUTH_REQUIRED')
  const path = 'encrypted_own_password'
  await checkOwnPassword(deps, self, { path, jwe: asked.encrypted_own_password })
  await commitThenThrow(db, async (tx) => {
    // Locks the branch first, as every edit of a branch does.
    await lockBranch(tx, id)
    if ((await lockUser(tx, self.id)) !== self.passwordHash) return wrongPassword(path)
    // The authenticator app may have been removed meanwhile.
    if (!(await findMfa(tx, self.id))) return new Refusal('REAUTH_REQUIRED')
    return (
      (await mfaCodeRefusal(tx, deps, self.id, asked.code)) ?? setRules(tx, deps, actor, { id, rules: asked.rules })
    )
  })
  return readAllowance(deps, actor, id)
}

/** Stops giving grants to the tills of a branch. Earlier grants run until their own end. Throws Refusal FORBIDDEN, NOT_FOUND. */
export async function stopAllowance(deps: Deps, actor: Actor, id: string): Promise<BranchAllowance> {
  await refuseUnlessMain(deps.database.db, actor, id)
  await deps.database.db.transaction(async (tx: Db) => {
    await lockBranch(tx, id)
    if (storedRules((await findAllowanceOf(tx, id))?.rules)) await setRules(tx, deps, actor, { id, rules: null })
  })
  return readAllowance(deps, actor, id)
}

async function refuseUnlessMain(db: Db, actor: Actor, id: string): Promise<void> {
  if (!(await findBranch(db, actor.scope, id))) throw new Refusal('NOT_FOUND')
  if (!isMainAccount(actor.type)) throw new Refusal('FORBIDDEN')
}

async function setRules(
  tx: Db,
  { clock }: Deps,
  actor: Actor,
  { id, rules }: { id: string; rules: AllowanceRules | null },
): Promise<void> {
  const now = clock.now()
  await putAllowance(tx, { branchId: id, organisationId: actor.scope.organisationId, rules })
  const branch = (await findBranch(tx, actor.scope, id))!
  const entry = rules
    ? ({ action: 'allowance.changed', details: { ...rules } } as const)
    : ({ action: 'allowance.stopped' } as const)
  await noteActivity(tx, actor, { ...entry, ...branchTarget(actor, { id, name: branch.name }) }, now)
}
