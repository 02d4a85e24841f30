import { useSnapshot } from 'valtio/react'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { DiaryDays } from '../../blocks/connectivity/DiaryDays.tsx'
import { LIMITS } from '../../contract/limits.ts'
import { recentDays } from '../../domain/devices/connectionDiary.ts'
import { singaporeDay } from '../../domain/singaporeTime.ts'
import { auth } from '../../state/auth.ts'
import { connectionDiary } from '../../state/connectionDiary.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Panel } from '../../ui/Panel.tsx'

/** What the connection was on this device: to be shown to whoever provides it. */
export function DiaryPanel() {
  const { clock_offset_ms } = useSnapshot(auth)
  const today = singaporeDay(new Date(useCurrentMinute().getTime() + clock_offset_ms))
  const days = recentDays(useSnapshot(connectionDiary).days, today, LIMITS.diaryDays)
  return (
    <Panel title="Connection diary">
      {days.length === 0 ? (
        <EmptyState
          icon="clock"
          title="Nothing recorded yet"
          text="What the connection is like is recorded while the portal is on this screen."
        />
      ) : (
        <DiaryDays {...{ days, today }} file="connection-diary" />
      )}
    </Panel>
  )
}
