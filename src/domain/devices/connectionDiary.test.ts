import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { DiaryDay } from '../../contract/devices/deviceReports.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { ConnectivityVerdict } from '../connectivity.ts'
import {
  addSpan,
  EMPTY_DIARY,
  knownSeconds,
  knownSpan,
  noteSpan,
  recentDays,
  type VerdictSpan,
} from './connectionDiary.ts'

/** An instant by the clock on the wall in Singapore. */
const at = (time: string) => Date.parse(`${time.replace(' ', 'T')}+08:00`)
const span = (from: string, to: string, verdict: ConnectivityVerdict): VerdictSpan => ({
  from: at(from),
  to: at(to),
  verdict,
})
const noted = (...spans: VerdictSpan[]) => spans.reduce(noteSpan, EMPTY_DIARY)

describe('a span in the diary', () => {
  it('marks the quarters that it touches, and counts its seconds', () => {
    const [day] = addSpan([], span('2026-11-26 09:14:30', '2026-11-26 09:30:10', 'offline'))
    expect(day).toMatchObject({ day: '2026-11-26', seconds: { online: 0, offline: 940 } })
    expect(day!.strip).toBe(`${'.'.repeat(36)}xxx${'.'.repeat(57)}`)
  })

  it('that ends with a quarter leaves the next one alone', () => {
    expect(addSpan([], span('2026-11-26 00:00', '2026-11-26 00:15', 'slow'))[0]!.strip).toBe(`s${'.'.repeat(95)}`)
  })

  it('over midnight is cut there', () => {
    const days = addSpan([], span('2026-11-26 23:59:00', '2026-11-27 00:00:30', 'online'))
    expect(days.map(({ day, seconds }) => [day, seconds.online])).toEqual([
      ['2026-11-26', 60],
      ['2026-11-27', 30],
    ])
    expect(days.map(({ strip }) => strip.indexOf('o'))).toEqual([95, 0])
  })

  it('leaves the worst verdict of a quarter', () => {
    const of = (...verdicts: ConnectivityVerdict[]) =>
      verdicts.reduce(
        (days, verdict) => addSpan(days, span('2026-11-26 00:01', '2026-11-26 00:02', verdict)),
        [...EMPTY_DIARY.days],
      )[0]!.strip[0]
    expect(of('online', 'slow')).toBe('s')
    expect(of('unreachable', 'slow', 'online')).toBe('u')
    expect(of('unreachable', 'offline', 'online')).toBe('x')
  })

  it('that cannot be adds nothing: backwards, of no length, longer than a day, or of no time at all', () => {
    const noon = at('2026-11-26 12:00')
    const ends = [noon - 1, noon, noon + 999, noon + 2 * 86_400_000, Number.NaN, Infinity]
    expect(ends.flatMap((to) => addSpan([], { from: noon, to, verdict: 'online' }))).toEqual([])
    // A clock of 1970, and one that is broken.
    expect(addSpan([], { from: 0, to: 60_000, verdict: 'online' })).toEqual([])
    expect(addSpan([], { from: 8e15, to: 8e15 + 60_000, verdict: 'online' })).toEqual([])
  })

  const anySpan = fc.record({
    from: fc.integer({ min: at('2026-11-25 00:00'), max: at('2026-11-27 00:00') }),
    length: fc.integer({ min: 0, max: 3_600_000 }),
    verdict: fc.constantFrom<ConnectivityVerdict[]>('online', 'slow', 'unreachable', 'offline'),
  })
  const spansOf = (drawn: { from: number; length: number; verdict: ConnectivityVerdict }[]) =>
    drawn.map(({ from, length, verdict }) => ({ from, to: from + length, verdict }))

  it('counts the same in whatever order spans come', () => {
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 20 }), (drawn) => {
        const spans = spansOf(drawn)
        expect(spans.toReversed().reduce(addSpan, [])).toEqual(spans.reduce(addSpan, []))
      }),
    )
  })

  it('never makes a day that the server would refuse, however the clock jumps', () => {
    fc.assert(
      fc.property(fc.array(anySpan, { maxLength: 120 }), (drawn) => {
        const { days } = spansOf(drawn).reduce(noteSpan, EMPTY_DIARY)
        for (const day of days) {
          expect(v.is(DiaryDay, day)).toBe(true)
          expect(day.longest_outage).toBeLessThanOrEqual(day.seconds.unreachable + day.seconds.offline)
        }
      }),
    )
  })

  it('holds a day to its length when the clock is set back again and again', () => {
    const [day] = noted(
      span('2026-11-26 00:00', '2026-11-26 20:00', 'offline'),
      span('2026-11-26 03:00', '2026-11-26 13:00', 'offline'),
    ).days
    expect(day).toMatchObject({ seconds: { offline: 86_400 }, longest_outage: 20 * 3_600 })
  })
})

describe('the diary of a device', () => {
  it('counts a minute once, whichever of two tabs tells of it', () => {
    const one = span('2026-11-26 12:00:00', '2026-11-26 12:01:00', 'online')
    const other = span('2026-11-26 12:00:20', '2026-11-26 12:01:20', 'online')
    expect(noted(one, other, one, other).days[0]!.seconds.online).toBe(80)
  })

  it('goes on at once when the clock was set back', () => {
    const { days } = noted(
      span('2026-11-26 14:00', '2026-11-26 14:01', 'online'),
      span('2026-11-26 12:00', '2026-11-26 12:01', 'online'),
    )
    expect(days[0]!.seconds.online).toBe(120)
  })

  it('knows the longest outage: of both kinds in one, behind a page that was loaded anew, up to an answer', () => {
    const { days } = noted(
      span('2026-11-26 12:00:00', '2026-11-26 12:01:00', 'unreachable'),
      span('2026-11-26 12:01:00', '2026-11-26 12:02:00', 'offline'),
      span('2026-11-26 12:02:20', '2026-11-26 12:03:00', 'unreachable'),
      span('2026-11-26 12:03:00', '2026-11-26 12:03:01', 'online'),
      span('2026-11-26 12:03:01', '2026-11-26 12:04:01', 'offline'),
      span('2026-11-26 12:30:00', '2026-11-26 12:31:00', 'offline'),
    )
    expect(days[0]!.longest_outage).toBe(160)
  })

  it('counts an outage over midnight in each of its days', () => {
    const { days } = noted(
      span('2026-11-26 23:58', '2026-11-27 00:01', 'offline'),
      span('2026-11-27 00:01', '2026-11-27 00:02', 'offline'),
    )
    expect(days.map((day) => day.longest_outage)).toEqual([120, 120])
  })

  it('keeps thirty days', () => {
    let diary = EMPTY_DIARY
    for (let day = 0; day < 40; day += 1) {
      const from = at('2026-10-01 12:00') + day * 86_400_000
      diary = noteSpan(diary, { from, to: from + 60_000, verdict: 'online' })
    }
    expect(diary.days).toHaveLength(LIMITS.diaryDays)
    expect(diary.days.at(-1)!.day).toBe('2026-11-09')
    expect(recentDays(diary.days, '2026-11-09', 7).map(({ day }) => day.slice(8))).toEqual([
      '09',
      '08',
      '07',
      '06',
      '05',
      '04',
      '03',
    ])
  })

  it('of a clock that was years behind keeps the real days, and that of a clock ahead shows none of its own', () => {
    const real = noted(span('2026-11-26 12:00', '2026-11-26 12:01', 'online'))
    const behind = noteSpan(real, span('2020-01-01 08:00', '2020-01-01 08:01', 'online'))
    const right = noteSpan(behind, span('2026-11-26 12:01', '2026-11-26 12:02', 'online'))
    expect(right.days.map(({ day, seconds }) => [day, seconds.online])).toEqual([['2026-11-26', 120]])
    const ahead = noteSpan(right, span('2026-12-05 08:00', '2026-12-05 08:01', 'online'))
    expect(recentDays(ahead.days, '2026-11-26', 30).map(knownSeconds)).toEqual([120])
  })
})

describe('what is known of the time between two looks', () => {
  const before = { wall: at('2026-11-26 12:00'), running: 5_000 }
  const after = (wall: number, running = wall) =>
    knownSpan(before, { wall: before.wall + wall, running: before.running + running }, 'online')

  it('is all of it, while the page runs and the clock with it', () => {
    expect(after(30_000)).toEqual({ from: before.wall, to: before.wall + 30_000, verdict: 'online' })
    expect(after(30_900, 30_000)).toBeDefined()
  })

  it('is nothing when the device slept, whether or not the page ran on for it, or the clock was set', () => {
    expect(after(8 * 3_600_000)).toBeUndefined()
    expect(after(8 * 3_600_000, 30_000)).toBeUndefined()
    expect(after(-3_600_000, 30_000)).toBeUndefined()
  })
})
