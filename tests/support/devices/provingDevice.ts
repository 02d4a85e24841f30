import { createHash, randomUUID } from 'node:crypto'
import { SignJWT } from 'jose'
import { DEVICE_PROOF_HEADER, DEVICE_PROOF_TYPE } from '../../../src/contract/devices/deviceProof.ts'
import type { Ask } from '../api/portalClient.ts'
import type { TestServer } from '../server/testServer.ts'
import type { makeDeviceKey } from './reportingDevice.ts'

export type TestDeviceKey = Awaited<ReturnType<typeof makeDeviceKey>>

interface Proven {
  method: string
  path: string
  token: string | undefined
  at: Date
}

/** A proof as a page signs it. */
export const proofOf = ({ publicKey, privateKey }: TestDeviceKey, { method, path, token, at }: Proven) =>
  new SignJWT({
    jti: randomUUID(),
    htm: method,
    htu: `https://portal.test${path.replace(/\?.*/, '')}`,
    ...(token !== undefined && { ath: createHash('sha256').update(token).digest('base64url') }),
  })
    .setProtectedHeader({ alg: 'ES256', typ: DEVICE_PROOF_TYPE, jwk: publicKey })
    .setIssuedAt(Math.floor(at.getTime() / 1_000))
    .sign(privateKey)

/** Asks as a page of the device that has this key: each call proves it. */
export const provingAsk =
  ({ app, clock }: TestServer, key: TestDeviceKey): Ask =>
  async (path, init = {}) => {
    const headers = new Headers(init.headers)
    const token = headers.get('authorization')?.replace('Bearer ', '')
    const proof = await proofOf(key, { method: init.method ?? 'GET', path, token, at: clock.now() })
    headers.set(DEVICE_PROOF_HEADER, proof)
    return app.request(path, { ...init, headers })
  }
