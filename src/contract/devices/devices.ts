import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid, text } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { byId, listEndpoints } from '../tables/resourceEndpoints.ts'
import { cents, count, instant } from '../wireFields.ts'
import { Waiting } from './deviceReports.ts'

const LateUploads = v.object({ count, cents, newest_at: v.nullable(instant) })

/** A till as its merchant sees it. `report` is null before the first report. */
export const DeviceRow = v.object({
  guid,
  /** The id of the device, which is the same at each branch where it was named. */
  till_guid: guid,
  name: v.string(),
  branch_guid: guid,
  branch_name: v.string(),
  named_at: instant,
  /** The time when the till used a manager's code; null for a till that a cashier named. */
  enrolled_at: v.nullable(instant),
  /** The till gets no new holds after this. Its earlier redemptions still count. */
  revoked_at: v.nullable(instant),
  /** The name of the branch to which the till was moved. */
  moved_to: v.nullable(v.string()),
  /** The time when the till was asked to remove its stored data, and the time when it reported that it had done so. */
  removal_requested_at: v.nullable(instant),
  removed_at: v.nullable(instant),
  /** The vouchers that the till has held for longer than the cashier's ten minutes and has not settled (rule 9.25). */
  unsettled: v.object({ count, cents }),
  /** The till's late uploads that were not reviewed, and the time of the newest. */
  late: LateUploads,
  /** The amount that the till may have accepted, or may still accept, without a check, and that the server does not know about (rule 9.26). */
  allowance_out_cents: cents,
  report: v.nullable(
    v.object({
      heard_at: instant,
      /** The server's clock minus the device's, in milliseconds. */
      clock_offset_ms: v.pipe(v.number(), v.safeInteger()),
      build: v.string(),
      update_waits: v.boolean(),
      /** "Chrome on Android". */
      browser: v.string(),
      persistent: v.nullable(v.boolean()),
      waiting: Waiting,
      refused: count,
      /** The login name of the logged-in user; null when no user was logged in. */
      user: v.nullable(v.string()),
    }),
  ),
})

export type DeviceRow = v.InferOutput<typeof DeviceRow>

const voucher = { serial: v.string(), denomination_cents: cents }

/** An open hold that its till has not settled. */
export const UnsettledHold = v.object({
  id: guid,
  voucher_guid: guid,
  ...voucher,
  /** The login name of its cashier. */
  pos_username: v.string(),
  since: instant,
  ends: instant,
  /** True until `ends`. The till may settle the hold even later, until another till takes the voucher. */
  can_be_settled: v.boolean(),
})

export type UnsettledHold = v.InferOutput<typeof UnsettledHold>

/** A hold that a user settled for its till; `by` is the user's login name. */
const SettledByHand = v.object({ id: guid, ...voucher, redeemed_at: instant, by: v.string(), reason: v.string() })

/** One till, with its open holds and the redemptions that were settled for it. */
export const Device = v.object({
  ...DeviceRow.entries,
  /** The holds that `unsettled` counts, oldest first; at most LIMITS.listRows. */
  unsettled_holds: v.array(UnsettledHold),
  /** The uploads of `late` that a user settled for the till, newest first; at most LIMITS.listRows. */
  settled_by_hand: v.array(SettledByHand),
  /** The time of the last review of its late uploads, and the reviewer. */
  reviewed: v.optional(v.nullable(v.object({ at: instant, by: v.string() })), null),
})

export type Device = v.InferOutput<typeof Device>

/** Users who manage POS users also manage the tills where they work. */
const view = { access: { feature: 'pos', action: 'view' } } as const

export const devices = listEndpoints({
  path: '/device',
  feature: 'pos',
  list: 'device',
  row: DeviceRow,
  rows: 'tills of my scope with their last reports',
})

export const readDevice = endpoint({
  ...view,
  method: 'GET',
  path: '/device/get/:id',
  summary: 'One till of my scope, with its open holds',
  params: byId,
  answer: Device,
})

/** Two tills may share a name. The device learns the new name with its next voucher. */
export const renameDevice = endpoint({
  method: 'PUT',
  path: '/device/:id',
  access: { feature: 'pos', action: 'edit' },
  summary: 'Rename a till of my scope; new holds carry the new name',
  params: byId,
  body: v.strictObject({ name: text(LIMITS.tillNameLength) }),
  answer: DeviceRow,
})

const edit = { access: { feature: 'pos', action: 'edit' } } as const

/** A till can be moved to any active branch of the scope. */
export const moveDevice = endpoint({
  ...edit,
  method: 'POST',
  path: '/device/:id/move',
  summary: 'Let a till of my scope work at another branch, with the same name and cookie',
  params: byId,
  body: v.strictObject({ branch_guid: guid }),
  answer: DeviceRow,
  errors: ['INVALID_STATE'],
})

export const revokeDevice = endpoint({
  ...edit,
  method: 'POST',
  path: '/device/:id/revoke',
  summary: 'Revoke a till of my scope: it gets no new holds, but its earlier redemptions count',
  params: byId,
  /** `remove` asks the till, at its next report, to remove its stored data. This also works for a till that is revoked already. */
  body: v.strictObject({ remove: v.boolean() }),
  answer: DeviceRow,
})

/** A review changes no money. Uploads after `until` have to be reviewed again. */
export const reviewDevice = endpoint({
  ...edit,
  method: 'POST',
  path: '/device/:id/review',
  summary: 'Mark the late uploads of a till of my scope as reviewed',
  params: byId,
  /** The `newest_at` that the reviewer saw. */
  body: v.strictObject({ until: instant }),
  answer: DeviceRow,
})
