import { base64url, SignJWT } from 'jose'
import * as v from 'valibot'
import type { ProvenCall } from '../api/ports.ts'
import { DEVICE_PROOF_HEADER, DEVICE_PROOF_TYPE, ProofNeeded } from '../contract/devices/deviceProof.ts'
import { HOLD_BEARER } from '../contract/redemptions/hold.ts'
import { deviceKeyForCalls } from '../offline/devices/deviceKey.ts'
import { serverNow } from '../state/auth.ts'

/** A browser that has put its storage to sleep must not hold up a call for longer, with its upload and all that wait for it. */
const STORAGE_MS = 3_000

/** Server time minus the device's, in milliseconds, where the server has said that ours was wrong: nobody may be logged in. */
let offsetMs: number | undefined

/**
 * The header that proves the key of this device with one call (RFC 9449), so that its session and its holds are of no use elsewhere
 * (decision 0085). `refusal`: of the call before, whose proof was not good. Throws what IndexedDB and WebCrypto throw.
 */
export async function proveDevice({ method, url, token, refusal }: ProvenCall): Promise<Record<string, string>> {
  const told = v.safeParse(ProofNeeded, refusal)
  if (told.success) offsetMs = Date.parse(told.output.now) - Date.now()
  const { privateKey, publicKey } = await inTime(deviceKeyForCalls(told.success))
  const claims = {
    jti: crypto.randomUUID(),
    htm: method,
    htu: url.replace(/\?.*/, ''),
    ...(token !== undefined && { ath: hashed?.token === token ? hashed.hash : await hashOf(token) }),
  }
  const now = offsetMs === undefined ? serverNow() : Date.now() + offsetMs
  const proof = await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: DEVICE_PROOF_TYPE, jwk: publicKey })
    .setIssuedAt(Math.floor(now / 1_000))
    .sign(privateKey)
  return { [DEVICE_PROOF_HEADER]: proof }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('The storage of this browser does not answer.')), STORAGE_MS)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}

/** Of the session that called last: it mostly calls again, and a cashier waits for it. The secret of a hold is used once or twice. */
let hashed: { token: string; hash: string } | undefined

async function hashOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  const hash = base64url.encode(new Uint8Array(digest))
  if (!token.startsWith(HOLD_BEARER)) hashed = { token, hash }
  return hash
}
