import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { cents, count, day, guid, instant, listOf, optionalText, text } from './fieldSchemas.ts'
import { LIMITS } from './limits.ts'
import { byId } from './tables/resourceEndpoints.ts'
import { DEVICE_COLUMNS, DEVICE_FILTERS } from './tables/tableColumns.ts'
import { tablePage, tableQuery } from './tables/tableQuery.ts'

/** The header of a report: a compact JWS (ES256) by the key of the till, over a `DeviceReport`. It rides on any call to /api. */
export const DEVICE_REPORT_HEADER = 'device-report'

/** A public key on the curve P-256, as a JWK. The private half never leaves its device. */
export const PublicKey = v.strictObject({
  kty: v.literal('EC'),
  crv: v.literal('P-256'),
  x: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
  y: v.pipe(v.string(), v.regex(/^[\w-]{43}$/)),
})

export type PublicKey = v.InferOutput<typeof PublicKey>

const DAY_SECONDS = 86_400

const secondsOfDay = v.pipe(count, v.maxValue(DAY_SECONDS, `must be ${DAY_SECONDS} or less`))

type Seconds = Record<'online' | 'slow' | 'unreachable' | 'offline', number>

const isWithinADay = ({ online, slow, unreachable, offline }: Seconds) =>
  online + slow + unreachable + offline <= DAY_SECONDS

/** One day of a device's connection diary. Verdicts and times alone: nothing of who used the device, or what for. */
export const DiaryDay = v.object({
  day,
  /**
   * The worst verdict of each quarter hour, from midnight in Singapore: `o` online, `s` slow, `u` unreachable, `x` offline,
   * `.` nothing known, since the portal was not on the screen.
   */
  strip: v.pipe(v.string(), v.regex(/^[osux.]{96}$/, 'must have a letter for each quarter hour')),
  /** How long each verdict held. What is missing from the whole day is not known. */
  seconds: v.pipe(
    v.object({ online: secondsOfDay, slow: secondsOfDay, unreachable: secondsOfDay, offline: secondsOfDay }),
    v.check(isWithinADay, 'must not be more than a day'),
  ),
  /** Of the outages of this day, unreachable and offline alike. */
  longest_outage: secondsOfDay,
})
export type DiaryDay = v.InferOutput<typeof DiaryDay>

const waiting = v.object({
  count,
  cents,
  /** When the oldest of them was redeemed, by the clock of the device. */
  oldest_at: v.nullable(instant),
})

/** The last check before opening: who did it, and which parts failed, by their names. */
const ShiftCheckResult = v.object({ at: instant, by: optionalText(64), failed: listOf(optionalText(30), 20) })

/** What a till says of itself. Not strict: a till may be a release ahead of the server. */
export const DeviceReport = v.object({
  /** The id that the device has made for itself, and the branch where it was named last. */
  till: guid,
  branch: guid,
  /** By the clock of the device. */
  at: instant,
  build: optionalText(64),
  update_waits: v.boolean(),
  /** Whether the browser has promised never to clear what is stored; null before it was asked. */
  persistent: v.nullable(v.boolean()),
  /** Redeemed at this device, and not uploaded. */
  waiting,
  /** Uploads that the server refused, and nobody has read why. */
  refused: count,
  /** Who is logged in. */
  user: v.nullable(guid),
  /** The newest pages of its connection diary: after a night without a connection that of the day before is news as well. */
  connection: v.pipe(v.array(DiaryDay), v.maxLength(LIMITS.diaryDaysTold)),
  check: v.nullable(ShiftCheckResult),
})

export type DeviceReport = v.InferOutput<typeof DeviceReport>

/** A till as its merchant sees it. `report` is null until the first one came: of a till that has no key yet. */
export const DeviceRow = v.object({
  guid,
  /** Of the device, the same at each branch that it was named at. */
  till_guid: guid,
  name: v.string(),
  branch_guid: guid,
  branch_name: v.string(),
  named_at: instant,
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
      waiting,
      refused: count,
      /** The login name of who was logged in; null when nobody was. */
      user: v.nullable(v.string()),
      /** The newest page of its connection diary. */
      connection: v.nullable(DiaryDay),
      check: v.nullable(ShiftCheckResult),
    }),
  ),
})

export type DeviceRow = v.InferOutput<typeof DeviceRow>

/** One till, with what is known of its connection: a page for each day, the newest first. */
export const Device = v.object({ ...DeviceRow.entries, days: v.array(DiaryDay) })

export type Device = v.InferOutput<typeof Device>

/** Whoever manages POS users manages the tills they work at. */
const view = { base: 'api', access: { feature: 'pos', action: 'view' } } as const

const query = tableQuery(DEVICE_COLUMNS, DEVICE_FILTERS)

export const deviceTable = endpoint({
  ...view,
  method: 'POST',
  path: '/device/datatable',
  summary: 'The tills of my scope with what they last said of themselves',
  body: query,
  answer: tablePage(DeviceRow),
  errors: ['START_TOO_DEEP'],
})

export const exportDevices = endpoint({
  ...view,
  method: 'POST',
  path: '/device/export',
  summary: 'The whole filtered device table as CSV',
  body: query,
  answer: 'file',
})

export const readDevice = endpoint({
  ...view,
  method: 'GET',
  path: '/device/get/:id',
  summary: 'One till of my scope, with its connection diary',
  params: byId,
  answer: Device,
})

/** Two tills may share a name. The device takes it over with the next voucher. */
export const renameDevice = endpoint({
  base: 'api',
  method: 'PUT',
  path: '/device/:id',
  access: { feature: 'pos', action: 'edit' },
  summary: 'Give a till of my scope another name; holds that are made from now on carry it',
  params: byId,
  body: v.strictObject({ name: text(LIMITS.tillNameLength) }),
  answer: DeviceRow,
})

/** Whatever key there was before is replaced: the device may have lost it with its storage. */
export const registerDeviceKey = endpoint({
  base: 'api',
  method: 'PUT',
  path: '/till/:id/key',
  access: { feature: 'counter', action: 'redeem' },
  summary: 'The key by which this device, named at my branch before, signs what it reports',
  params: byId,
  body: v.strictObject({ key: PublicKey }),
  answer: v.object({ registered: v.literal(true) }),
})
