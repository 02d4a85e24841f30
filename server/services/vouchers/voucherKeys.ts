import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto'
import type { VoucherKey } from '../../../src/contract/redemptions/signedVouchers.ts'
import {
  readSignedVoucher,
  signedPart,
  writeSignedVoucher,
  type SignedVoucher,
  type VoucherFacts,
} from '../../../src/domain/signedVouchers.ts'
import { noteActivity } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import {
  closeVoucherKey,
  findSigningKey,
  findVoucherKey,
  insertVoucherKey,
  listVoucherKeys,
  lockVoucherKeys,
  nextVoucherKeyId,
  type StoredVoucherKey,
} from '../../db/vouchers/signedVouchers.ts'
import type { Deps } from '../../Deps.ts'
import { sealSecret, unsealSecret } from '../../secrets/sealSecret.ts'
import type { Secrets } from '../../secrets/secrets.ts'

type ReadDeps = Pick<Deps, 'database'>
type SignDeps = ReadDeps & { secrets: Pick<Secrets, 'sealingKey'> }
type ChangeDeps = Pick<Deps, 'database' | 'clock'>

/** Thrown when nothing can be signed, or a key cannot be changed as asked. */
export class VoucherKeyError extends Error {
  override name = 'VoucherKeyError' as const
  readonly why: 'no key' | 'other secrets' | 'unknown' | 'ended'

  constructor(why: VoucherKeyError['why']) {
    super(`voucher key: ${why}`)
    this.why = why
  }
}

/** Returns the public keys that prove a voucher, oldest first. */
export const readVoucherKeys = async ({ database }: ReadDeps): Promise<VoucherKey[]> =>
  (await listVoucherKeys(database.db))
    .filter(({ endedAt }) => endedAt === null)
    .map(({ id, publicKey }) => ({ id, public_key: publicKey }))

export interface SigningKey {
  id: number
  /** Ed25519, 64 bytes. */
  sign(bytes: Uint8Array): Uint8Array
}

/**
 * Returns the key that signs now. Throws VoucherKeyError `no key` when the provider has none, and `other secrets` when this server cannot unseal the
 * key.
 */
export async function signingKey({ database, secrets }: SignDeps): Promise<SigningKey> {
  const stored = await findSigningKey(database.db)
  if (!stored) throw new VoucherKeyError('no key')
  const key = privateKeyOf({ secrets }, stored)
  if (!key) throw new VoucherKeyError('other secrets')
  return { id: stored.id, sign: (bytes) => sign(null, bytes, key) }
}

/** Returns the code of a signed voucher. */
export function signVoucher(key: SigningKey, facts: Omit<VoucherFacts, 'key'>): string {
  const signed = { ...facts, key: key.id }
  return writeSignedVoucher(signed, key.sign(signedPart(signed)))
}

/** Returns the content of a code that a programme key has signed, otherwise undefined. A rotated key still proves a code, an ended key does not. */
export async function proveSigned({ database }: ReadDeps, code: string): Promise<SignedVoucher | undefined> {
  const read = readSignedVoucher(code)
  const key = read && (await findVoucherKey(database.db, read.key))
  if (!key || key.endedAt) return undefined
  return verify(null, read.signed, publicKeyOf(key), read.signature) ? read : undefined
}

/** True when this server's secrets unseal the key, so that it can sign with the key. */
export const canOpen = (deps: Pick<SignDeps, 'secrets'>, key: StoredVoucherKey): boolean =>
  privateKeyOf(deps, key) !== undefined

const publicKeyOf = ({ publicKey }: StoredVoucherKey): KeyObject =>
  createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: publicKey }, format: 'jwk' })

function privateKeyOf({ secrets }: Pick<SignDeps, 'secrets'>, key: StoredVoucherKey): KeyObject | undefined {
  const d = unsealSecret(secrets, ownerOf(key.id), key.sealedPrivateKey)
  if (d === undefined) return undefined
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key.publicKey, d }, format: 'jwk' })
}

/** The seal is bound to this text: a private key moved to another row or table cannot be opened. */
const ownerOf = (id: number) => `voucher key ${id}`

/** Makes the key that signs from now on. Signatures of the earlier key, whose id is `before`, stay valid. */
export const makeVoucherKey = (deps: ChangeDeps & SignDeps): Promise<{ id: number; before: number | undefined }> =>
  changeKeys(deps, async (tx, now) => {
    const before = (await findSigningKey(tx))?.id
    if (before !== undefined) {
      await closeVoucherKey(tx, before, { rotatedAt: now })
      await noteKey(tx, 'voucher_key.rotated', before, now)
    }
    return { id: await insertNewKey(deps, tx, now), before }
  })

/**
 * Ends a key that a stranger may have: its signatures prove nothing from now on. Vouchers that it signed can still be redeemed online. Throws
 * VoucherKeyError `unknown` or `ended`.
 */
export const endVoucherKey = (deps: ChangeDeps, id: number): Promise<void> =>
  changeKeys(deps, async (tx, now) => {
    const found = await findVoucherKey(tx, id)
    if (!found) throw new VoucherKeyError('unknown')
    if (found.endedAt) throw new VoucherKeyError('ended')
    await closeVoucherKey(tx, id, { endedAt: now })
    await noteKey(tx, 'voucher_key.ended', id, now)
  })

function changeKeys<T>({ database, clock }: ChangeDeps, change: (tx: Db, now: Date) => Promise<T>): Promise<T> {
  return database.db.transaction(async (tx: Db) => {
    await lockVoucherKeys(tx)
    return change(tx, clock.now())
  })
}

async function insertNewKey({ secrets }: Pick<SignDeps, 'secrets'>, tx: Db, now: Date): Promise<number> {
  const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as { x: string; d: string }
  const id = await nextVoucherKeyId(tx)
  const sealedPrivateKey = sealSecret(secrets, ownerOf(id), d)
  await insertVoucherKey(tx, { id, publicKey: x, sealedPrivateKey, madeAt: now })
  await noteKey(tx, 'voucher_key.made', id, now)
  return id
}

async function noteKey(tx: Db, action: `voucher_key.${'made' | 'rotated' | 'ended'}`, id: number, now: Date) {
  const subject = { type: 'voucher_key', id: String(id), name: `key ${id}` } as const
  await noteActivity(tx, { provider: true, via: 'command line' }, { organisationId: null, action, subject }, now)
}
