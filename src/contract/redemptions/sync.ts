import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { instant, listOf } from '../wireFields.ts'
import { AcceptedRow, LOSS_REASONS, REVIEW_REASONS } from './allowance.ts'
import { EndedHold, Hold, holdSecret } from './hold.ts'
import { Receipt } from './redeem.ts'

/** A clock may be wrong by years, but it must give a real instant. */
const deviceTime = v.pipe(
  instant,
  v.check((at) => !Number.isNaN(Date.parse(at)), 'must be a date and time'),
)

/**
 * A till's report about one hold, with its secret. `redeemed`: the cashier took the voucher, at `tapped_at` of the device's clock. `cancelled`: the
 * till gives the voucher back; if the hold was never made, it can no longer be made. `voided`: the redemption is taken back (rule 9.13). `asking`:
 * asks for the current state.
 */
const HoldRow = v.strictObject({
  became: v.picklist(['redeemed', 'cancelled', 'voided', 'asking']),
  id: guid,
  secret: holdSecret,
  tapped_at: v.optional(deviceTime),
})

export const SyncRow = v.variant('became', [HoldRow, AcceptedRow])
export type SyncRow = v.InferOutput<typeof SyncRow>

/**
 * The state of a hold after its row was judged. The row may have asked for another state: a void that came too late gets `redeemed`, and so does a
 * cancellation of a redeemed voucher. `later`: this row was not judged, and the state is unknown.
 */
export const SyncOutcome = v.variant('state', [
  v.object({ state: v.literal('held'), hold: Hold }),
  /** `replayed`: it was redeemed before this row came. */
  v.object({ state: v.literal('redeemed'), receipt: Receipt, replayed: v.boolean() }),
  v.object({ state: v.literal('voided'), receipt: Receipt, voided_at: instant }),
  v.object({ state: v.literal('ended'), ...EndedHold.entries }),
  /** There is no hold of this id and secret. */
  v.object({ state: v.literal('unknown') }),
  /** Accepted without a check, but the voucher was used elsewhere first or had been revoked, at the time `at`. The place is never told (rule 8.4). */
  v.object({ state: v.literal('lost'), reason: v.picklist(LOSS_REASONS), at: v.nullable(instant) }),
  /** Accepted without a check, and has to be reviewed by a person. */
  v.object({ state: v.literal('review'), reason: v.picklist(REVIEW_REASONS) }),
  v.object({ state: v.literal('later'), retry_after_seconds: v.number() }),
])
export type SyncOutcome = v.InferOutput<typeof SyncOutcome>

/** The header of a call without a waiting customer: a busy server answers other calls first. */
export const BACKLOG_HEADER = 'backlog'

export const syncTill = endpoint({
  method: 'POST',
  path: '/till/sync',
  access: 'public',
  summary:
    'Report or ask what became of the holds of a till; each row is judged alone, and a repeated row gets the same answer',
  size: 'sync',
  lane: 'till',
  body: v.strictObject({
    rows: v.pipe(
      // One row that cannot be read must not stop the others from being judged.
      listOf(v.fallback(v.nullable(SyncRow), null), LIMITS.syncRows, `must have at most ${LIMITS.syncRows} rows`),
      v.minLength(1, 'must have a row'),
    ),
  }),
  /** In the order of the rows. */
  answer: v.object({ outcomes: v.array(SyncOutcome) }),
})
