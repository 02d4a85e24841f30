import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { ConnectionStrip, StripHours, StripKey } from '../../blocks/connectivity/ConnectionStrip.tsx'
import { saveFileWithToast } from '../../blocks/downloads/saveFile.ts'
import type { DiaryDay } from '../../contract/devices.ts'
import { BYTE_ORDER_MARK } from '../../domain/csv.ts'
import { DIARY_DAYS, recentDays } from '../../domain/devices/connectionDiary.ts'
import { describeTotals, diaryCsv, diaryTotals } from '../../domain/devices/diaryTotals.ts'
import { formatShortDay, singaporeDay } from '../../domain/singaporeTime.ts'
import { auth } from '../../state/auth.ts'
import { connectionDiary } from '../../state/connectionDiary.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel, Stack } from '../../ui/Panel.tsx'

const WEEK = 7

/** What the connection was on this device: to be shown to whoever provides it. */
export function DiaryPanel() {
  const [isAll, setAll] = useState(false)
  const { clock_offset_ms } = useSnapshot(auth)
  const today = singaporeDay(new Date(useCurrentMinute().getTime() + clock_offset_ms))
  const kept = recentDays(useSnapshot(connectionDiary).days, today, DIARY_DAYS)
  const week = recentDays(kept.toReversed(), today, WEEK)
  const shown = isAll ? kept : week
  return (
    <Panel title="Connection diary">
      {kept.length === 0 ? (
        <EmptyState
          icon="clock"
          title="Nothing recorded yet"
          text="What the connection is like is recorded while the portal is on this screen."
        />
      ) : (
        <Stack padded>
          <Totals days={shown} of={isAll ? DIARY_DAYS : WEEK} />
          <StripKey />
          <Days days={shown} today={today} />
          <Actions>
            <Button icon="download" onClick={() => void save(kept, today)}>
              Download as CSV
            </Button>
            {kept.length > week.length && (
              <Button variant="quiet" onClick={() => setAll(!isAll)}>
                {isAll ? 'Show the last 7 days' : 'Show all 30 days'}
              </Button>
            )}
          </Actions>
        </Stack>
      )}
    </Panel>
  )
}

const Totals = ({ days, of }: { days: readonly DiaryDay[]; of: number }) => (
  <p>
    <b className="font-strong">Last {of} days</b>: {describeTotals(diaryTotals(days))}.{' '}
    <span className="text-muted">Recorded while the portal was on this screen, whoever used it.</span>
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

const save = (days: readonly DiaryDay[], today: string) =>
  saveFileWithToast(
    new File([BYTE_ORDER_MARK + diaryCsv(days)], `connection-diary-${today}.csv`, { type: 'text/csv;charset=utf-8' }),
  )
