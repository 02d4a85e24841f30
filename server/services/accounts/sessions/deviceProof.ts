import { createHash } from 'node:crypto'
import { calculateJwkThumbprint, importJWK, jwtVerify, type CryptoKey, type JWTHeaderParameters } from 'jose'
import * as v from 'valibot'
import { DEVICE_PROOF_SECONDS, DEVICE_PROOF_TYPE, DeviceProof } from '../../../../src/contract/devices/deviceProof.ts'
import { PublicKey } from '../../../../src/contract/devices/deviceReports.ts'

/** Which call a proof has to be of. */
interface ProvenCall {
  method: string
  path: string
  /** What it carries as its bearer. */
  token: string | undefined
  now: Date
}

/** Longer than any of ours. */
const LONGEST = 1_024

/**
 * The thumbprint (RFC 7638) of the key that has signed `proof`, if it is one of this call and of now (RFC 9449 §4.3); else undefined. The host is not compared, since a proxy may call this server by another one; nor is `jti` kept: within its minutes a
 * proof repeats one call with one token, and what moves money has an id of its own.
 */
export async function readDeviceProof(proof: string, call: ProvenCall): Promise<string | undefined> {
  if (proof.length > LONGEST) return undefined
  try {
    const expected = { algorithms: ['ES256'], typ: DEVICE_PROOF_TYPE, currentDate: call.now }
    const { payload, protectedHeader } = await jwtVerify(
      proof,
      async (header?: JWTHeaderParameters) => (await keyOf(header!)).key,
      expected,
    )
    return isOf(v.parse(DeviceProof, payload), call) ? (await keyOf(protectedHeader)).thumbprint : undefined
  } catch {
    return undefined
  }
}

function isOf({ htm, htu, iat, ath }: DeviceProof, { method, path, token, now }: ProvenCall): boolean {
  const isNow = Math.abs(now.getTime() / 1_000 - iat) <= DEVICE_PROOF_SECONDS
  const isToken = token === undefined || ath === createHash('sha256').update(token).digest('base64url')
  // A proxy may have taken a prefix away.
  return isNow && isToken && htm === method && new URL(htu).pathname.endsWith(path)
}

interface KnownKey {
  key: CryptoKey
  thumbprint: string
}

/** Reading a key takes longer than verifying with it. */
const known = new Map<string, KnownKey>()

const KNOWN_KEYS = 10_000

async function keyOf({ jwk }: JWTHeaderParameters): Promise<KnownKey> {
  const publicKey = v.parse(PublicKey, jwk)
  const name = publicKey.x + publicKey.y
  const found = known.get(name)
  if (found) return found
  const key = (await importJWK(publicKey, 'ES256')) as CryptoKey
  const read = { key, thumbprint: await calculateJwkThumbprint(publicKey) }
  // A Map keeps the order of insertion, so the first key is the oldest.
  if (known.size >= KNOWN_KEYS) known.delete(known.keys().next().value ?? '')
  known.set(name, read)
  return read
}
