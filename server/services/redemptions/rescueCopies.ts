import { calculateJwkThumbprint, compactDecrypt, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose'
import * as v from 'valibot'
import { PublicKey, RescueCopy, type RescueKey } from '../../../src/contract/redemptions/rescue.ts'
import { readTakings } from '../../../src/contract/redemptions/takings.ts'
import { may } from '../../../src/domain/accounts/permissions.ts'
import { isGated } from '../../../src/domain/gate.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import { findRescueKey, putRescueKey, type StoredRescueKey } from '../../db/redemptions/rescueKeys.ts'
import type { Deps } from '../../Deps.ts'
import { sealSecret, unsealSecret } from '../../secrets/sealSecret.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { hashToken } from '../opaqueToken.ts'
import { Refusal } from '../Refusal.ts'
import { uploadAccepted, type AnsweredAccepted } from './uploadAccepted.ts'
import { uploadRedemptions, type Uploaded } from './uploadRedemptions.ts'

const ALGORITHM = 'ECDH-ES'
const ENCRYPTION = 'A256GCM'

/** Bytes of an opened copy: more than the longest that a till makes, so that a small one cannot become a large one. */
const LONGEST_OPENED = 16_384

/**
 * The public key of the actor's organisation, made when it is first asked for. One whose private half this server cannot open, since
 * its secrets are others by now, is replaced: what is sealed to it could not be imported.
 */
export async function readRescueKey(
  deps: Deps,
  { organisation: { id } }: { organisation: Pick<Actor['organisation'], 'id'> },
): Promise<RescueKey> {
  const { database } = deps
  const found = await findRescueKey(database.db, id)
  const kept = found && privateKeyOf(deps, found) ? found : await makeKey(deps, id, found?.kid)
  await database.waitForStandby()
  return { kid: kept.kid, key: kept.publicKey }
}

async function makeKey({ database, secrets, clock }: Deps, organisationId: string, instead: string | undefined) {
  const { publicKey, privateKey } = await generateKeyPair(ALGORITHM, { crv: 'P-256', extractable: true })
  const { kty, crv, x, y } = await exportJWK(publicKey)
  const key = v.parse(PublicKey, { kty, crv, x, y })
  const row = {
    organisationId,
    kid: await calculateJwkThumbprint(key),
    publicKey: key,
    sealedPrivateKey: sealSecret(secrets, ownerOf(organisationId), JSON.stringify(await exportJWK(privateKey))),
    madeAt: clock.now(),
  }
  return putRescueKey(database.db, row, instead)
}

/** What the seal is bound to: moved to another organisation's row, or to another table, a private key cannot be opened. */
const ownerOf = (organisationId: string) => `rescue key of ${organisationId}`

function privateKeyOf({ secrets }: Pick<Deps, 'secrets'>, key: StoredRescueKey): JWK | undefined {
  const text = unsealSecret(secrets, ownerOf(key.organisationId), key.sealedPrivateKey)
  return text === undefined ? undefined : (JSON.parse(text) as JWK)
}

/**
 * Redeems what a rescue copy of the actor's organisation holds. Each row as if its till had uploaded it: at most once, by the secret of
 * its hold, for the cashier who took it; so the same copy again, or the till that came back, gives the same receipts. Who may redeem or
 * release holds may do it, wherever in the organisation the till stands. What was accepted without a check is settled as its till would
 * upload it: by the secret of its grant. Throws Refusal FORBIDDEN, ACCOUNT_GATED,
 * RESCUE_COPY_UNREADABLE; what is refused of one row is its outcome.
 */
export async function importRescueCopy(
  deps: Deps,
  actor: Actor,
  { copy: sealed }: { copy: string },
): Promise<{ copy: RescueCopy; outcomes: Uploaded[]; accepted: AnsweredAccepted[] }> {
  refuseUnlessAllowed(actor)
  const copy = await openCopy(deps, actor.organisation.id, sealed)
  const takings = readTakings(copy.takings, copy.redemptions, hashToken)
  const rows = copy.redemptions.map(({ id, serial, secret, redeemed_at }, at) => ({
    id,
    serial,
    secretHash: hashToken(secret),
    tappedAt: redeemed_at === undefined ? undefined : new Date(redeemed_at),
    taking: takings[at],
    caller: actor,
  }))
  // As the portal, as every upload: a voucher is redeemed by the secret of its hold, whoever brings it.
  const outcomes = await uploadRedemptions({ ...deps, database: deps.database.portal() }, rows)
  const accepted = copy.accepted ? await uploadAccepted(deps, copy.accepted, actor.organisation.id) : []
  await noteImport(deps, actor, copy, [...outcomes.map(countedUpload), ...accepted.map(countedAccepted)])
  return { copy, outcomes, accepted }
}

/** How a row counts in the activity log. */
interface Counted {
  as: 'count' | 'already' | 'refused'
  cents: number
}

const countedUpload = (row: Uploaded): Counted =>
  'error' in row
    ? { as: 'refused', cents: 0 }
    : { as: row.replayed ? 'already' : 'count', cents: row.receipt.denomination_cents }

function countedAccepted({ outcome, isNew }: AnsweredAccepted): Counted {
  if (outcome.outcome !== 'redeemed') return { as: 'refused', cents: 0 }
  return { as: isNew ? 'count' : 'already', cents: outcome.receipt.denomination_cents }
}

function refuseUnlessAllowed(actor: Actor): void {
  if (isGated(actor)) throw new Refusal('ACCOUNT_GATED')
  const isAllowed =
    may(actor, { feature: 'counter', action: 'redeem' }) || may(actor, { feature: 'vouchers', action: 'edit' })
  if (!isAllowed) throw new Refusal('FORBIDDEN')
}

async function openCopy(deps: Deps, organisationId: string, sealed: string): Promise<RescueCopy> {
  const stored = await findRescueKey(deps.database.db, organisationId)
  const key = stored && privateKeyOf(deps, stored)
  const text = key && (await decrypt(key, sealed))
  const parsed = v.safeParse(RescueCopy, text)
  if (!parsed.success) throw new Refusal('RESCUE_COPY_UNREADABLE')
  return parsed.output
}

/** What it says, or `undefined` where it was not sealed to this key, was touched, or is no JSON. */
async function decrypt(key: JWK, sealed: string): Promise<unknown> {
  try {
    const { plaintext } = await compactDecrypt(sealed, await importJWK(key, ALGORITHM), {
      keyManagementAlgorithms: [ALGORITHM],
      contentEncryptionAlgorithms: [ENCRYPTION],
      maxDecompressedLength: LONGEST_OPENED,
    })
    return JSON.parse(new TextDecoder().decode(plaintext))
  } catch {
    return undefined
  }
}

/** After what was redeemed, each row in a transaction of its own: a failure here is answered as one, and the copy is imported again. */
async function noteImport({ database, clock }: Deps, actor: Actor, copy: RescueCopy, rows: readonly Counted[]) {
  const of = (kind: Counted['as']) => rows.filter(({ as }) => as === kind)
  const details = {
    count: of('count').length,
    amount_cents: of('count').reduce((sum, { cents }) => sum + cents, 0),
    already: of('already').length,
    refused: of('refused').length,
  }
  const subject = { type: 'till' as const, ...copy.till }
  await database.db.transaction((tx: Db) =>
    noteActivity(
      tx,
      actor,
      { organisationId: actor.organisation.id, action: 'rescue_copy.imported', subject, details },
      clock.now(),
    ),
  )
}
