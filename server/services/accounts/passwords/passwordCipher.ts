import { randomBytes } from 'node:crypto'
import { compactDecrypt, decodeProtectedHeader } from 'jose'
import * as v from 'valibot'
import { consumeNonce, saveNonce } from '../../../db/accounts/passwords.ts'
import type { Deps } from '../../../Deps.ts'
import type { PasswordKey } from '../../../secrets/secrets.ts'
import { Refusal } from '../../Refusal.ts'

const NONCE_MINUTES = 10

/** The plain text of the JWE (rule 3.1). The length limits the work only; the password rules are checked where a password is set. */
const Payload = v.strictObject({ password: v.pipe(v.string(), v.maxLength(1_024)), nonce: v.string() })

const ALGORITHMS = { keyManagementAlgorithms: ['RSA-OAEP-256'], contentEncryptionAlgorithms: ['A256GCM'] }

/** Returns the key that encrypts passwords, and a nonce. The nonce works once within ten minutes, on any server process. */
export async function offerPublicKey({ database, clock, secrets }: Deps) {
  const nonce = randomBytes(24).toString('base64url')
  const now = clock.now()
  await saveNonce(database.db, nonce, new Date(now.getTime() + NONCE_MINUTES * 60_000), now)
  return { public_key: secrets.passwordKey.publicPem, key_id: secrets.passwordKey.id, nonce }
}

/**
 * Returns the password inside a compact JWE, or `undefined` when it cannot be decrypted or its nonce is unknown, used or expired. The caller treats
 * that like a wrong password. Throws Refusal KEY_EXPIRED for a key that is unknown or expired.
 */
export async function decryptPassword(deps: Deps, jwe: string): Promise<string | undefined> {
  const payload = await decryptPayload(deps, jwe)
  if (!payload) return undefined
  return (await consumeNonce(deps.database.db, payload.nonce, deps.clock.now())) ? payload.password : undefined
}

async function decryptPayload(deps: Deps, jwe: string) {
  const kid = keyIdOf(jwe)
  if (kid === undefined) return undefined
  const key = liveKey(deps, kid)
  if (!key) throw new Refusal('KEY_EXPIRED')
  try {
    const { plaintext } = await compactDecrypt(jwe, key.privateKey, ALGORITHMS)
    const text = new TextDecoder('utf-8', { fatal: true }).decode(plaintext)
    const parsed = v.safeParse(Payload, JSON.parse(text))
    return parsed.success ? parsed.output : undefined
  } catch {
    // All failures look alike: telling the failed step would make this an oracle (AUT-07).
    return undefined
  }
}

function liveKey({ secrets, clock }: Deps, kid: string): PasswordKey | undefined {
  const { passwordKey, previousPasswordKey: previous } = secrets
  if (kid === passwordKey.id) return passwordKey
  return previous && kid === previous.id && clock.now() < previous.until ? previous : undefined
}

function keyIdOf(jwe: string): string | undefined {
  try {
    return decodeProtectedHeader(jwe).kid
  } catch {
    return undefined
  }
}
