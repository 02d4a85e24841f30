import * as v from 'valibot'
import { DraftFile, DraftValues, type OnboardingDraft } from '../../../src/contract/merchants/onboardingDraft.ts'
import type { Db } from '../../db/engine/Database.ts'
import { findDraft, putDraft, removeDraft } from '../../db/merchants/onboardingDrafts.ts'
import { lockOrganisation } from '../../db/merchants/organisations.ts'
import type { Deps } from '../../Deps.ts'
import { sealSecret, unsealSecret } from '../../secrets/sealSecret.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { staleRevision } from '../recordConflicts.ts'
import { Refusal } from '../Refusal.ts'
import { EDITABLE } from './onboarding.ts'

/** Reads the draft of the actor's onboarding; null if there is none. Throws Refusal FORBIDDEN for any actor but an HRP main account. */
export async function readDraft(deps: Deps, actor: Actor): Promise<OnboardingDraft | null> {
  refuseOthers(actor)
  return openDraft(deps, deps.database.db, actor.organisation.id)
}

interface SentDraft {
  revision: number | null
  values: DraftValues | null
}

/**
 * Stores the draft, or removes it, and returns its revision and time. Throws Refusal FORBIDDEN as above, INVALID_STATE if the organisation may not
 * submit now, and STALE_REVISION with the current draft if it is not the one that the sent one continues.
 */
export async function saveDraft(deps: Deps, actor: Actor, sent: SentDraft) {
  refuseOthers(actor)
  const organisationId = actor.organisation.id
  return deps.database.db.transaction(async (tx: Db) => {
    // A submission locks the same row, so no draft is stored after it.
    const organisation = await lockOrganisation(tx, organisationId)
    if (!organisation || !EDITABLE.includes(organisation.status)) throw new Refusal('INVALID_STATE')
    const current = await openDraft(deps, tx, organisationId)
    if ((current?.revision ?? null) !== sent.revision) throw staleRevision(current)
    if (sent.values === null) {
      await removeDraft(tx, organisationId)
      return null
    }
    const savedAt = deps.clock.now()
    const sealed = sealSecret(deps.secrets, sealedFor(organisationId), JSON.stringify(sent.values))
    const { success, output } = v.safeParse(DraftFile, sent.values['merchant_agreement'])
    const merchantAgreement = success ? output.key : null
    const revision = await putDraft(tx, { organisationId, savedAt, sealed, merchantAgreement })
    return { revision, saved_at: savedAt.toISOString() }
  })
}

function refuseOthers({ type }: Actor): void {
  if (type !== 'HRP Merchant') throw new Refusal('FORBIDDEN')
}

/** A draft that cannot be opened, because the sealing key has changed, counts as none. */
async function openDraft(deps: Deps, db: Db, organisationId: string): Promise<OnboardingDraft | null> {
  const row = await findDraft(db, organisationId)
  const text = row && unsealSecret(deps.secrets, sealedFor(organisationId), row.sealed)
  if (text === undefined) return null
  return {
    revision: row!.revision,
    saved_at: row!.savedAt.toISOString(),
    values: v.parse(DraftValues, JSON.parse(text)),
  }
}

const sealedFor = (organisationId: string) => `onboarding draft ${organisationId}`
