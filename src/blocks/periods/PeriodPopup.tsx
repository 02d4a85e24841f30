import { Suspense, type RefObject } from 'react'
import { PopupPanel } from '../../ui/overlay/PopupPanel.tsx'
import { Skeleton } from '../../ui/ProgressBar.tsx'
import { lazyWithRetry } from '../lazy/lazyWithRetry.tsx'
import { MonthCalendar, PeriodButton } from './MonthCalendar.tsx'
import type { PeriodUnit, Preset } from './periods.ts'
import type { CalendarProps } from './usePeriodChoice.ts'

/** 20 KB of calendar: nobody has it before the first one is opened. */
const DayCalendar = lazyWithRetry(() => import('./DayCalendar.tsx').then((module) => module.DayCalendar))

interface PeriodPopupProps extends CalendarProps {
  id: string
  label: string
  unit: PeriodUnit
  presets: readonly Preset[]
  anchor: RefObject<HTMLElement | null>
  onDismiss: () => void
  close: () => void
}

/** Presets beside a calendar, above it on a phone. */
export function PeriodPopup({ unit, presets, id, label, anchor, onDismiss, close, ...calendar }: PeriodPopupProps) {
  const { chosen, onPeriod } = calendar
  return (
    <PopupPanel
      {...{ id, label, anchor, onDismiss, close }}
      flush="left"
      className="flex phone:w-[min(24rem,calc(100vw-1rem))] phone:flex-col"
    >
      {presets.length > 0 && (
        <div
          className="flex flex-none flex-col border-r border-border p-2 phone:flex-row phone:flex-wrap phone:gap-1 phone:border-r-0 phone:border-b"
          role="group"
          aria-label="Common periods"
        >
          {presets.map(({ label: name, from, to }) => (
            <PeriodButton
              key={name}
              className="text-left phone:flex-[1_0_auto] phone:border phone:text-center phone:not-aria-pressed:border-border"
              chosen={from === chosen.from && to === chosen.to}
              onClick={() => onPeriod({ from, to })}
            >
              {name}
            </PeriodButton>
          ))}
        </div>
      )}
      <div className="w-[calc(7*var(--control)+1rem)] min-w-[19rem] flex-1 p-2 phone:w-auto phone:min-w-0">
        {unit === 'month' ? (
          <MonthCalendar {...calendar} />
        ) : (
          <Suspense fallback={<CalendarSkeleton />}>
            <DayCalendar {...calendar} />
          </Suspense>
        )}
      </div>
    </PopupPanel>
  )
}

const CalendarSkeleton = () => (
  <div aria-busy="true">
    <Skeleton line="calendar" />
  </div>
)
