import type { DiaryDay } from '../../contract/devices/deviceReports.ts'
import type { ConnectivityVerdict } from '../connectivity.ts'
import { toCsv } from '../csv.ts'
import { formatSpell } from '../quantities.ts'

/** The verdicts, as whoever reads a diary calls them. */
export const DIARY_LABELS: Record<ConnectivityVerdict, string> = {
  online: 'Online',
  slow: 'Slow',
  unreachable: 'Service not reached',
  offline: 'Offline',
}

const VERDICTS = Object.keys(DIARY_LABELS) as ConnectivityVerdict[]

/** What a day or several come to. An outage over midnight counts in each of its days. */
export type DiaryTotals = Pick<DiaryDay, 'seconds' | 'longest_outage'>

export function diaryTotals(days: readonly DiaryDay[]): DiaryTotals {
  const sum = (verdict: ConnectivityVerdict) => days.reduce((all, { seconds }) => all + seconds[verdict], 0)
  return {
    seconds: {
      online: sum('online'),
      slow: sum('slow'),
      unreachable: sum('unreachable'),
      offline: sum('offline'),
    },
    longest_outage: Math.max(0, ...days.map((day) => day.longest_outage)),
  }
}

/** `online 7 h 40 min, slow 20 min, longest outage 12 min` */
export function describeTotals({ seconds, longest_outage }: DiaryTotals): string {
  const parts = VERDICTS.filter((verdict) => seconds[verdict] > 0).map(
    (verdict) => `${DIARY_LABELS[verdict].toLowerCase()} ${formatSpell(seconds[verdict])}`,
  )
  const longest = longest_outage > 0 ? [`longest outage ${formatSpell(longest_outage)}`] : []
  return [...parts, ...longest].join(', ') || 'nothing known'
}

/** `09:15–09:45`, to the quarter hour: when the server was not reached. */
export const outageTimes = (strip: string): string[] =>
  [...strip.matchAll(/[ux]+/g)].map(({ index, 0: run }) => `${timeOf(index)}–${timeOf(index + run.length)}`)

const timeOf = (quarter: number) =>
  [Math.floor(quarter / 4), (quarter % 4) * 15].map((part) => String(part).padStart(2, '0')).join(':')

const HEAD = [
  'Day',
  ...VERDICTS.map((verdict) => `${DIARY_LABELS[verdict]} (seconds)`),
  'Longest outage (seconds)',
  'Outages (to the quarter hour)',
]

/** One row for each day: what a provider of the connection can be shown. */
export const diaryCsv = (days: readonly DiaryDay[]): string =>
  toCsv([
    HEAD,
    ...days.map(({ day, strip, seconds, longest_outage }) => [
      day,
      ...VERDICTS.map((verdict) => String(seconds[verdict])),
      String(longest_outage),
      outageTimes(strip).join('; '),
    ]),
  ])
