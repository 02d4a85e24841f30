import { Suspense, type RefObject } from 'react'
import { PopupPanel } from '../../ui/overlay/PopupPanel.tsx'
import { lazyWithRetry } from '../lazy/lazyWithRetry.tsx'
import { MonthCalendar } from './MonthCalendar.tsx'
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
    <PopupPanel {...{ id, label, anchor, onDismiss, close }} flush="left" className="period-popup">
      {presets.length > 0 && (
        <div className="period-presets" role="group" aria-label="Common periods">
          {presets.map(({ label: name, from, to }) => (
            <button
              key={name}
              type="button"
              aria-pressed={from === chosen.from && to === chosen.to}
              onClick={() => onPeriod({ from, to })}
            >
              {name}
            </button>
          ))}
        </div>
      )}
      <div className="period-calendar">
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
    <span className="skeleton h-80" />
  </div>
)
