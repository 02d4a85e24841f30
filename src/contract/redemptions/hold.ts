import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { instant, OPAQUE_TOKEN } from '../wireFields.ts'

/**
 * A hold keeps one voucher for one till (rule 9.3). The till chooses its id, which is the idempotency key of verify and of all later calls about it.
 * Its secret, 32 random bytes in base64url, gives the right to settle the hold (`syncTill`) without a session, and no other right. The server knows
 * only the secret's hash.
 */
export const holdSecret = v.pipe(v.string(), v.regex(OPAQUE_TOKEN, 'must be 32 random bytes in base64url'))
/** SHA-256 of the secret's text, in lower-case hex. */
const holdSecretHash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'))

/**
 * Sent with verify. The same id and secret get the same answer, and never a second hold. `till` is the id of the device, which must already be named
 * at this branch (`nameTill`).
 */
export const HoldRequest = v.strictObject({ id: guid, secret_hash: holdSecretHash, till: guid })
export type HoldRequest = v.InferOutput<typeof HoldRequest>

/** A hold; its times are the server's. */
export const Hold = v.object({
  id: guid,
  /** The name of the till that has the voucher on hold. */
  till: v.string(),
  since: instant,
  /** `since` plus LIMITS.holdHours. Until then the server refuses the voucher to all others. */
  ends: instant,
})
export type Hold = v.InferOutput<typeof Hold>

/** The ways in which a hold can end. `taken over`: by another till, after its 24 hours. */
const HOLD_ENDINGS = [
  'cancelled',
  'released by merchant',
  'released by provider',
  'deactivated',
  'taken over',
  'redeemed',
  'voided',
] as const
export type HoldEnding = (typeof HOLD_ENDINGS)[number]

/** The `data` of HOLD_ENDED. */
export const EndedHold = v.object({ by: v.picklist(HOLD_ENDINGS), when: instant })
export type EndedHold = v.InferOutput<typeof EndedHold>
