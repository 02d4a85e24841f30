import { useState } from 'react'
import type { DiaryDay } from '../../contract/devices/deviceReports.ts'
import { LIMITS } from '../../contract/limits.ts'
import type { ConnectivityVerdict } from '../../domain/connectivity.ts'
import { BYTE_ORDER_MARK } from '../../domain/csv.ts'
import { recentDays } from '../../domain/devices/connectionDiary.ts'
import { describeTotals, DIARY_LABELS, diaryCsv, diaryTotals } from '../../domain/devices/diaryTotals.ts'
import { formatShortDay } from '../../domain/singaporeTime.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Stack } from '../../ui/Panel.tsx'
import { saveFileWithToast } from '../downloads/saveFile.ts'

const WEEK = 7

interface Props {
  /** Those that are kept, the newest first; one at least. */
  days: readonly DiaryDay[]
  today: string
  /** Whose they are, in the name of the file. */
  file: string
}

/** A connection diary: what it comes to, a strip for each day, and a file for whoever provides the connection. */
export function DiaryDays({ days, today, file }: Props) {
  const [isAll, setAll] = useState(false)
  const week = recentDays(days.toReversed(), today, WEEK)
  const shown = isAll ? days : week
  return (
    <Stack padded>
      <Totals days={shown} of={isAll ? LIMITS.diaryDays : WEEK} />
      <StripKey />
      <Days days={shown} today={today} />
      <Actions>
        <Button icon={ICONS.download} onClick={() => void save(days, `${file}-${today}.csv`)}>
          Download as CSV
        </Button>
        {days.length > week.length && (
          <Button variant="quiet" onClick={() => setAll(!isAll)}>
            {isAll ? 'Show the last 7 days' : 'Show all 30 days'}
          </Button>
        )}
      </Actions>
    </Stack>
  )
}

const Totals = ({ days, of }: { days: readonly DiaryDay[]; of: number }) => (
  <p>
    <b className="font-strong">{`Last ${of} days`}</b>
    <span>{`: ${describeTotals(diaryTotals(days))}. `}</span>
    <span className="text-muted">Recorded while the portal was on the screen, whoever used it.</span>
  </p>
)

const Days = ({ days, today }: { days: readonly DiaryDay[]; today: string }) => (
  <div className="grid gap-1">
    <ol className="grid gap-3">
      {days.map((day) => (
        <li key={day.day}>
          <ConnectionStrip day={day} {...(day.day === today ? { name: `Today, ${formatShortDay(today)}` } : {})} />
        </li>
      ))}
    </ol>
    <StripHours />
  </div>
)

const save = (days: readonly DiaryDay[], name: string) =>
  saveFileWithToast(new File([BYTE_ORDER_MARK + diaryCsv(days)], name, { type: 'text/csv;charset=utf-8' }))

const QUARTERS = 96
const HEIGHT = 12

/** The worse, the higher; the two outages differ by a gap. So a strip is also read without its colours. */
const BARS: Record<string, { look: string; parts: readonly [top: number, height: number][] }> = {
  o: { look: 'fill-chart-now', parts: [[9, 3]] },
  s: { look: 'fill-warn-text', parts: [[5, 7]] },
  u: {
    look: 'fill-danger-control',
    parts: [
      [0, 4],
      [7, 5],
    ],
  },
  x: { look: 'fill-danger-control', parts: [[0, HEIGHT]] },
}

interface ConnectionStripProps {
  day: DiaryDay
  /** Instead of its date. */
  name?: string
  /** The words are for screen readers only. */
  wordsHidden?: boolean
}

/** A day of the connection from midnight to midnight, a bar for each quarter hour, and what it comes to in words. */
export function ConnectionStrip({ day, name = formatShortDay(day.day), wordsHidden }: ConnectionStripProps) {
  return (
    <figure className="grid gap-1">
      <figcaption className={wordsHidden ? 'sr-only' : ''}>
        <b className="font-strong">{name}</b>
        <span>{`: ${describeTotals(day)}`}</span>
      </figcaption>
      <svg
        className="block h-6 w-full rounded-1 border border-border bg-surface-sunken"
        viewBox={`0 0 ${QUARTERS} ${HEIGHT}`}
        preserveAspectRatio="none"
        shapeRendering="crispEdges"
        aria-hidden="true"
      >
        {SIX_HOURS.map((quarter) => (
          <line
            key={quarter}
            className="stroke-border-strong"
            x1={quarter}
            x2={quarter}
            y2={HEIGHT}
            vectorEffect="non-scaling-stroke"
          />
        ))}
        {runsOf(day.strip).map(({ at, length, letter }) => (
          <Bar key={at} letter={letter} at={at} length={length} />
        ))}
      </svg>
    </figure>
  )
}

const SIX_HOURS = [24, 48, 72]

function Bar({ letter, at, length }: { letter: string; at: number; length: number }) {
  const { look, parts } = BARS[letter]!
  return parts.map(([top, height]) => <rect key={top} className={look} x={at} y={top} width={length} height={height} />)
}

/** What is the same from quarter to quarter is one bar. */
const runsOf = (strip: string) =>
  [...strip.matchAll(/([osux])\1*/g)].map(({ index, 0: run }) => ({
    at: index,
    length: run.length,
    letter: run.charAt(0),
  }))

/** The hours below strips that stand in a column. */
const StripHours = () => (
  <div className="grid grid-cols-4 text-xs text-muted" aria-hidden="true">
    {['00:00', '06:00', '12:00', '18:00'].map((hour) => (
      <span key={hour}>{hour}</span>
    ))}
  </div>
)

const LETTERS: [letter: string, verdict: ConnectivityVerdict][] = [
  ['o', 'online'],
  ['s', 'slow'],
  ['u', 'unreachable'],
  ['x', 'offline'],
]

/** What the bars of a strip mean. */
const StripKey = () => (
  <ul className="flex flex-wrap gap-x-4 gap-y-1 text-xs text-muted">
    {LETTERS.map(([letter, verdict]) => (
      <li key={letter} className="flex items-center gap-2">
        <svg className="size-3" viewBox={`0 0 ${HEIGHT} ${HEIGHT}`} shapeRendering="crispEdges" aria-hidden="true">
          <Bar letter={letter} at={0} length={HEIGHT} />
        </svg>
        <span>{DIARY_LABELS[verdict]}</span>
      </li>
    ))}
    <li className="flex items-center gap-2">
      <i className="size-3 border border-border bg-surface-sunken" />
      Nothing known: the portal was not on the screen
    </li>
  </ul>
)
