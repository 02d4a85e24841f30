import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid, text } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { byId, listEndpoints } from '../tables/resourceEndpoints.ts'
import { cents, count, instant } from '../wireFields.ts'
import { Waiting } from './deviceReports.ts'

const LateUploads = v.object({ count, cents, newest_at: v.nullable(instant) })

/** A till as its merchant sees it. `report` is null until the first one came. */
export const DeviceRow = v.object({
  guid,
  /** Of the device, the same at each branch that it was named at. */
  till_guid: guid,
  name: v.string(),
  branch_guid: guid,
  branch_name: v.string(),
  named_at: instant,
  /** When it used a code of its manager; null for one that a cashier gave a name. */
  enrolled_at: v.nullable(instant),
  /** It gets no new holds since then. What it redeemed before still counts. */
  revoked_at: v.nullable(instant),
  /** The branch that it works at instead. */
  moved_to: v.nullable(v.string()),
  /** Whether it was asked to remove what it stores, and when it said that it has. */
  removal_asked_at: v.nullable(instant),
  removed_at: v.nullable(instant),
  /** What it held, past the ten minutes of its cashier, and nobody has settled (rule 9.25). */
  unsettled: v.object({ count, cents }),
  /** Its late uploads that nobody has reviewed, and when the newest of them came. */
  late: LateUploads,
  /** What it may have accepted, or may still accept, without a check, and the server does not know (rule 9.26). */
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
      /** The login name of who was logged in; null when nobody was. */
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
  /** Until `ends`. Its till may settle it later too, as long as nobody takes the voucher. */
  can_be_settled: v.boolean(),
})

export type UnsettledHold = v.InferOutput<typeof UnsettledHold>

/** A hold that a person settled for its till, by their login name. */
const SettledByHand = v.object({ id: guid, ...voucher, redeemed_at: instant, by: v.string(), reason: v.string() })

/** One till, with what it holds and what was settled for it. */
export const Device = v.object({
  ...DeviceRow.entries,
  /** What `unsettled` counts, oldest first; at most LIMITS.listRows. */
  unsettled_holds: v.array(UnsettledHold),
  /** What of `late` a person settled for it, newest first; at most LIMITS.listRows. */
  settled_by_hand: v.array(SettledByHand),
  /** The last review of its late uploads: when, and by whom. */
  reviewed: v.optional(v.nullable(v.object({ at: instant, by: v.string() })), null),
})

export type Device = v.InferOutput<typeof Device>

/** Whoever manages POS users manages the tills they work at. */
const view = { access: { feature: 'pos', action: 'view' } } as const

export const devices = listEndpoints({
  path: '/device',
  feature: 'pos',
  list: 'device',
  row: DeviceRow,
  rows: 'tills of my scope with what they last said of themselves',
})

export const readDevice = endpoint({
  ...view,
  method: 'GET',
  path: '/device/get/:id',
  summary: 'One till of my scope, with what it holds',
  params: byId,
  answer: Device,
})

/** Two tills may share a name. The device takes it over with the next voucher. */
export const renameDevice = endpoint({
  method: 'PUT',
  path: '/device/:id',
  access: { feature: 'pos', action: 'edit' },
  summary: 'Give a till of my scope another name; holds that are made from now on carry it',
  params: byId,
  body: v.strictObject({ name: text(LIMITS.tillNameLength) }),
  answer: DeviceRow,
})

const edit = { access: { feature: 'pos', action: 'edit' } } as const

/** A till of another branch may be sent to any other of the scope that is in use. */
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
  summary: 'Give a till of my scope no new holds; what it redeemed before still counts',
  params: byId,
  /** `remove`: with its next report it is asked to remove what it stores. Also for one that is revoked already. */
  body: v.strictObject({ remove: v.boolean() }),
  answer: DeviceRow,
})

/** Money is not changed by it. What comes after `until` is to be reviewed again. */
export const reviewDevice = endpoint({
  ...edit,
  method: 'POST',
  path: '/device/:id/review',
  summary: 'Say that somebody has reviewed the late uploads of a till of my scope',
  params: byId,
  /** The `newest_at` that was shown. */
  body: v.strictObject({ until: instant }),
  answer: DeviceRow,
})
