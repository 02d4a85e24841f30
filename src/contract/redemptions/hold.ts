import * as v from 'valibot'
import { guid } from '../fieldSchemas.ts'
import { instant, OPAQUE_TOKEN } from '../wireFields.ts'

/**
 * A hold keeps one voucher for one till (rule 9.3). Its id is chosen by the till, and is the idempotency key of verify and of everything that
 * becomes of it. Its secret, 32 random bytes in base64url, is the right to say what became of it (`syncTill`), needs no session, and is good
 * for nothing else. The server knows the secret's hash only.
 */
export const holdSecret = v.pipe(v.string(), v.regex(OPAQUE_TOKEN, 'must be 32 random bytes in base64url'))
/** SHA-256 of the secret as it is written, in lower-case hex. */
const holdSecretHash = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 in hex'))

/**
 * Asked for with verify. Nothing is held twice: the same id and secret get the same answer. `till` is the id of the device, named
 * at this branch before (`nameTill`).
 */
export const HoldRequest = v.strictObject({ id: guid, secret_hash: holdSecretHash, till: guid })
export type HoldRequest = v.InferOutput<typeof HoldRequest>

/** Times are the server's. */
export const Hold = v.object({
  id: guid,
  /** The name of the till that holds. */
  till: v.string(),
  since: instant,
  /** Until then the server refuses everyone else: `since` and LIMITS.holdHours. */
  ends: instant,
})
export type Hold = v.InferOutput<typeof Hold>

/** Who or what ended a hold. `taken over`: by another till, after its 24 hours. */
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

/** In the `data` of HOLD_ENDED. */
export const EndedHold = v.object({ by: v.picklist(HOLD_ENDINGS), when: instant })
export type EndedHold = v.InferOutput<typeof EndedHold>
