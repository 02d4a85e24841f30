import * as v from 'valibot'
import { day, guid } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { cents, count, instant, listOf, optionalText } from '../wireFields.ts'

/** The header of a report: a `DeviceReport` as JSON in ASCII. It rides on any call to /api; the cookie says which till it is of. */
export const DEVICE_REPORT_HEADER = 'device-report'

/** The header of an answer to a report: `remove` asks a revoked till to remove what it stores. What waits to upload stays. */
export const DEVICE_ORDER_HEADER = 'device-order'

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
  /** It has removed what it stored, as it was asked to (DEVICE_ORDER_HEADER). */
  removed: v.optional(v.boolean()),
})

export type DeviceReport = v.InferOutput<typeof DeviceReport>
