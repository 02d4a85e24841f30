import type { DiaryDay } from '../../contract/devices/deviceReports.ts'
import { isCalendarDay } from '../../contract/fieldSchemas.ts'
import { LIMITS } from '../../contract/limits.ts'
import { isDown, type ConnectivityVerdict } from '../connectivity.ts'
import { addDays, singaporeDay, startOfDay } from '../singaporeTime.ts'

const QUARTERS = 96
const QUARTER_SECONDS = 15 * 60
const DAY_SECONDS = QUARTERS * QUARTER_SECONDS

/** An outage goes on behind a page that is loaded anew. */
const JOINED_SECONDS = 60
/** Two tabs do not show the same time to the second; a clock that goes back by more was set. */
const CLOCK_BACK_MS = 2 * 60_000
/** A page looks every half minute, hidden ones once a minute: after more than this it slept. */
const WATCHED_MS = 3 * 60_000
/** The server's time comes in whole seconds, with answers that take their time. */
const CLOCK_SLACK_MS = 5_000

/** From the mildest to the worst, as they stand in a strip. */
const LETTERS: Record<ConnectivityVerdict, string> = { online: 'o', slow: 's', unreachable: 'u', offline: 'x' }
const WORSE = '.osux'

/** For how long a verdict held: milliseconds of a clock. */
export interface VerdictSpan {
  from: number
  to: number
  verdict: ConnectivityVerdict
}

/** What a device keeps. Its days are in order. */
export interface ConnectionDiary {
  days: readonly DiaryDay[]
  /** Up to here it is written: a second tab adds nothing to the same minute. */
  until: number
  /** The outage that was noted last, in seconds of its day. */
  outage?: { day: string; to: number; seconds: number } | undefined
}

export const EMPTY_DIARY: ConnectionDiary = { days: [], until: 0 }

/** `wall`: what the clock shows; `running`: milliseconds that the page has run for, which nobody can set. */
export interface Moment {
  wall: number
  running: number
}

/** What is known of the time between two looks: nothing, when the device slept or its clock was set meanwhile. */
export function knownSpan(before: Moment, now: Moment, verdict: ConnectivityVerdict): VerdictSpan | undefined {
  const ran = now.running - before.running
  const isWatched = ran <= WATCHED_MS && Math.abs(now.wall - before.wall - ran) <= CLOCK_SLACK_MS
  return isWatched ? { from: before.wall, to: now.wall, verdict } : undefined
}

/** Notes what is new of a span, whichever tab it comes from, and lets go of days that are too old. */
export function noteSpan(diary: ConnectionDiary, span: VerdictSpan): ConnectionDiary {
  const wasSetBack = diary.until - span.to > CLOCK_BACK_MS
  const fresh = { ...span, from: wasSetBack ? span.from : Math.max(span.from, diary.until) }
  const pieces = piecesOf(fresh)
  if (pieces.length === 0) return diary
  let { outage } = diary
  let days = addSpan(diary.days, fresh)
  for (const piece of pieces) {
    outage = isDown(span.verdict) ? prolonged(outage, piece) : undefined
    if (outage) days = withLongest(days, outage)
  }
  return { days: withoutOld(days, singaporeDay(new Date(span.to))), until: span.to, outage }
}

/** Adds a span to the days it lies in, whatever the order in which spans come. One that cannot be adds nothing. */
export const addSpan = (days: readonly DiaryDay[], span: VerdictSpan): DiaryDay[] =>
  piecesOf(span).reduce((all, piece) => withPiece(all, piece, span.verdict), [...days])

/** The last days up to `today`, the newest first. Days that lie ahead are of a clock that was wrong. */
export const recentDays = (days: readonly DiaryDay[], today: string, most: number): DiaryDay[] =>
  days.filter(({ day }) => day <= today && day > addDays(today, -most)).toReversed()

interface Piece {
  day: string
  /** Whole seconds of the day. */
  from: number
  to: number
}

/** A span, cut at midnight. */
function piecesOf(span: VerdictSpan): Piece[] {
  const [from, to] = [span.from, span.to].map((at) => Math.floor(at / 1000)) as [number, number]
  const pieces: Piece[] = []
  if (!(to - from <= DAY_SECONDS)) return pieces
  for (let at = from; at < to;) {
    const day = singaporeDay(new Date(at * 1000))
    if (!isCalendarDay(day)) break
    const begins = startOfDay(day).getTime() / 1000
    const end = Math.min(to, begins + DAY_SECONDS)
    pieces.push({ day, from: at - begins, to: end - begins })
    at = end
  }
  return pieces
}

function withPiece(days: readonly DiaryDay[], piece: Piece, verdict: ConnectivityVerdict): DiaryDay[] {
  const known = days.find(({ day }) => day === piece.day) ?? emptyDay(piece.day)
  // Hours that a clock was set back over come twice; the day has no more of them for it.
  const room = DAY_SECONDS - knownSeconds(known)
  const seconds = { ...known.seconds, [verdict]: known.seconds[verdict] + Math.min(piece.to - piece.from, room) }
  const grown = { ...known, strip: overlaid(known.strip, piece, LETTERS[verdict]), seconds }
  return [...days.filter(({ day }) => day !== piece.day), grown].sort((a, b) => (a.day < b.day ? -1 : 1))
}

const emptyDay = (day: string): DiaryDay => ({
  day,
  strip: '.'.repeat(QUARTERS),
  seconds: { online: 0, slow: 0, unreachable: 0, offline: 0 },
  longest_outage: 0,
})

export const knownSeconds = ({ seconds }: DiaryDay): number =>
  seconds.online + seconds.slow + seconds.unreachable + seconds.offline

const overlaid = (strip: string, { from, to }: Piece, letter: string) =>
  strip.replaceAll(/./g, (before, at: number) => {
    const isTouched = at * QUARTER_SECONDS < to && (at + 1) * QUARTER_SECONDS > from
    return isTouched && WORSE.indexOf(letter) > WORSE.indexOf(before) ? letter : before
  })

function prolonged(before: ConnectionDiary['outage'], { day, from, to }: Piece) {
  const goesOn = before?.day === day && from >= before.to && from - before.to <= JOINED_SECONDS
  return { day, to, seconds: (goesOn ? before.seconds : 0) + to - from }
}

const withLongest = (days: readonly DiaryDay[], { day, seconds }: { day: string; seconds: number }) =>
  days.map((each) =>
    each.day === day
      ? { ...each, longest_outage: Math.min(Math.max(each.longest_outage, seconds), DAY_SECONDS) }
      : each,
  )

/** While the clock is years behind, the real days lie ahead: they stay, as far as there is reason in it. */
const withoutOld = (days: readonly DiaryDay[], today: string) =>
  days.filter(({ day }) => day > addDays(today, -LIMITS.diaryDays)).slice(0, 2 * LIMITS.diaryDays)
