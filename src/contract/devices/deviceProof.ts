import * as v from 'valibot'
import { instant } from '../wireFields.ts'

/**
 * The header of a proof (DPoP, RFC 9449): a JWT signed by the key of the device, which stands in its header. It makes a session, and the
 * secret of a hold, worthless anywhere else (decision 0085).
 */
export const DEVICE_PROOF_HEADER = 'dpop'

export const DEVICE_PROOF_TYPE = 'dpop+jwt'

/** On either side of the server's clock: a slow connection takes its time, and a clock that is wrong is corrected by PROOF_NEEDED. */
export const DEVICE_PROOF_SECONDS = 300

/** `htu` is the address without its query; `ath` the SHA-256 of the token that the call carries, in base64url, if it carries one. */
export const DeviceProof = v.object({
  jti: v.string(),
  htm: v.string(),
  htu: v.pipe(v.string(), v.url()),
  iat: v.number(),
  ath: v.optional(v.string()),
})

export type DeviceProof = v.InferOutput<typeof DeviceProof>

/** In the `data` of PROOF_NEEDED: the server's time, by which a wrong clock is corrected. */
export const ProofNeeded = v.object({ now: instant })

export type ProofNeeded = v.InferOutput<typeof ProofNeeded>
