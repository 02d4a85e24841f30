import * as v from 'valibot'
import { day, guid } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { takingHash, takingNumber } from '../redemptions/takings.ts'
import { cents, count, instant, listOf, optionalText } from '../wireFields.ts'

/** The header of a report: a compact JWS (ES256) by the key of the till, over a `DeviceReport`. It rides on any call to /api. */
export const DEVICE_REPORT_HEADER = 'device-report'

/** The header of an answer to a report: `remove` asks a revoked till to remove what it stores. What waits to upload stays. */
export const DEVICE_ORDER_HEADER = 'device-order'

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

export const Waiting = v.object({
  count,
  cents,
  /** When the oldest of them was redeemed, by the clock of the device. */
  oldest_at: v.nullable(instant),
})

/** The last check before opening: who did it, and which parts failed, by their names. */
export const ShiftCheckResult = v.object({ at: instant, by: optionalText(64), failed: listOf(optionalText(30), 20) })

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
  waiting: Waiting,
  /** Uploads that the server refused, and nobody has read why. */
  refused: count,
  /** Who is logged in. */
  user: v.nullable(guid),
  /** The newest pages of its connection diary: after a night without a connection that of the day before is news as well. */
  connection: v.pipe(v.array(DiaryDay), v.maxLength(LIMITS.diaryDaysTold)),
  check: v.nullable(ShiftCheckResult),
  /**
   * What it took so far (decision 0083), by which holes are seen: the number and the hash of the newest, and the numbers that the server
   * may not know of yet. `null`: nothing, since its storage is empty.
   */
  sequence: v.optional(
    v.nullable(
      v.object({
        id: guid,
        number: takingNumber,
        hash: takingHash,
        open: v.pipe(v.array(v.tuple([takingNumber, takingNumber])), v.maxLength(LIMITS.openTakingRanges)),
      }),
    ),
  ),
  /** It has removed what it stored, as it was asked to (DEVICE_ORDER_HEADER). */
  removed: v.optional(v.boolean()),
})

export type DeviceReport = v.InferOutput<typeof DeviceReport>
