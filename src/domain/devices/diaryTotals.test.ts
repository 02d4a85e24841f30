import { expect, it } from 'vitest'
import { EMPTY_DIARY, noteSpan, type ConnectionDiary } from './connectionDiary.ts'
import { describeTotals, diaryCsv, diaryTotals, outageTimes } from './diaryTotals.ts'

const morning = Date.parse('2026-11-26T09:00:00+08:00')
const HOUR = 3_600_000

const spans = [
  { from: morning, to: morning + 7 * HOUR, verdict: 'online' },
  { from: morning + 7 * HOUR, to: morning + 7.2 * HOUR, verdict: 'unreachable' },
] as const
const { days } = spans.reduce<ConnectionDiary>(noteSpan, EMPTY_DIARY)

it('a day is told in words, without what did not happen', () => {
  expect(describeTotals(days[0]!).replaceAll('\u00A0', ' ')).toBe(
    'online 7 h, service not reached 12 min, longest outage 12 min',
  )
  expect(describeTotals(diaryTotals([]))).toBe('nothing known')
})

it('several days come to their sum, and to the longest of their outages', () => {
  expect(diaryTotals([...days, { ...days[0]!, longest_outage: 60 }])).toEqual({
    seconds: { online: 14 * 3_600, slow: 0, unreachable: 1_440, offline: 0 },
    longest_outage: 720,
  })
})

it('the times of outages are told to the quarter hour, up to midnight', () => {
  expect(outageTimes(`${'.'.repeat(37)}uxo${'s'.repeat(55)}u`)).toEqual(['09:15–09:45', '23:45–24:00'])
})

it('the file has a row for each day', () => {
  expect(diaryCsv(days)).toBe(
    'Day,Online (seconds),Slow (seconds),Service not reached (seconds),Offline (seconds),Longest outage (seconds),Outages (to the quarter hour)\r\n' +
      '2026-11-26,25200,0,720,0,720,16:00–16:15\r\n',
  )
})
