import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { instant, listOf, optionalText } from '../wireFields.ts'
import { AcceptedUpload } from './allowance.ts'
import { UploadOutcome, UploadRow } from './redeem.ts'

/** A public key on the curve P-256, as a JWK. */
export const PublicKey = v.strictObject({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  y: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
})
export type PublicKey = v.InferOutput<typeof PublicKey>

/** RFC 7638 thumbprint of a key: SHA-256 in base64url. */
const thumbprint = v.pipe(v.string(), v.regex(/^[\w-]{43}$/, 'must be a thumbprint'))

/** The public half of an organisation's key: whoever has it can make a rescue copy, and only the server can open one. */
export const RescueKey = v.object({ kid: thumbprint, key: PublicKey })
export type RescueKey = v.InferOutput<typeof RescueKey>

/**
 * What a rescue copy says once it is opened: the rows that a till would have uploaded, and where they come from, for the people who
 * import it. Till and time are the till's own word, and decide nothing. One copy has redemptions, or what was accepted without a check.
 */
const Content = v.object({
  till: v.object({ id: guid, name: optionalText(LIMITS.tillNameLength) }),
  made_at: instant,
  redemptions: listOf(UploadRow, LIMITS.uploadRows),
  /** Each row has the secret of its grant. A server of the release before finds no redemptions, and refuses the copy. */
  accepted: v.optional(AcceptedUpload),
  /** Their numbers at the till, as TAKINGS_HEADER has them. */
  takings: v.optional(v.string()),
})
export const RescueCopy = v.pipe(
  Content,
  v.check(({ redemptions, accepted }) => redemptions.length > 0 || accepted !== undefined, 'must have a row'),
)
export type RescueCopy = v.InferOutput<typeof RescueCopy>

/** Characters of a copy of LIMITS.uploadRows rows, deflated, with room: what was accepted without a check takes most, for its signatures. */
export const RESCUE_COPY_LENGTH = 8_000

/** A compact JWE (ECDH-ES, A256GCM, deflated) of a `RescueCopy`. Its key is agreed on directly, so the second part is empty. */
const COPY = /^[\w-]{1,1000}\.\.[\w-]{16}\.[\w-]+\.[\w-]{22}$/

export const sealedCopy = v.pipe(
  v.string(),
  v.maxLength(RESCUE_COPY_LENGTH, 'must be a rescue copy'),
  v.regex(COPY, 'must be a rescue copy'),
)

export const readRescueKey = endpoint({
  base: 'api',
  method: 'GET',
  path: '/rescue/key',
  access: { feature: 'counter', action: 'redeem' },
  summary: 'The public key to which the tills of my organisation seal their rescue copies',
  answer: RescueKey,
})

/** Of one row: what an upload answers, and the serial, for the device that imports has no row of its own. */
const ImportedRow = v.object({ serial: v.string(), result: UploadOutcome })

/**
 * For whoever may redeem or may release holds (service importRescueCopy). RESCUE_COPY_UNREADABLE: it was damaged, or sealed to the key
 * of another organisation, or to one that is gone.
 */
export const importRescueCopy = endpoint({
  base: 'api',
  method: 'POST',
  path: '/rescue/import',
  access: 'session',
  summary: 'Redeem what a rescue copy of my organisation holds, each voucher at most once; again is the same answer',
  size: 'upload',
  lane: 'uploads',
  body: v.strictObject({ copy: sealedCopy }),
  /** Rows in the order of the copy. What was accepted without a check and is not paid is `refused`, which pages of any release can say. */
  answer: v.object({ till: v.string(), made_at: instant, rows: v.array(ImportedRow) }),
  errors: ['FORBIDDEN', 'ACCOUNT_GATED', 'RESCUE_COPY_UNREADABLE'],
})
