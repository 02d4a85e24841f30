import { useState } from 'react'
import type { DiaryDay } from '../../contract/devices/deviceReports.ts'
import { LIMITS } from '../../contract/limits.ts'
import { BYTE_ORDER_MARK } from '../../domain/csv.ts'
import { recentDays } from '../../domain/devices/connectionDiary.ts'
import { describeTotals, diaryCsv, diaryTotals } from '../../domain/devices/diaryTotals.ts'
import { formatShortDay } from '../../domain/singaporeTime.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Stack } from '../../ui/Panel.tsx'
import { saveFileWithToast } from '../downloads/saveFile.ts'
import { ConnectionStrip, StripHours, StripKey } from './ConnectionStrip.tsx'

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
    <b className="font-strong">Last {of} days</b>: {describeTotals(diaryTotals(days))}.{' '}
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
