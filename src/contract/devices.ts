import * as v from 'valibot'
import { count, day } from './fieldSchemas.ts'

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
