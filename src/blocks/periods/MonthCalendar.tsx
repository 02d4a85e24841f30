import { useState } from 'react'
import { addMonths } from '../../domain/months.ts'
import { formatMonth } from '../../domain/singaporeTime.ts'
import { Icon } from '../../ui/Icon.tsx'
import { usePeriodChoice, type CalendarProps } from './usePeriodChoice.ts'

/** The months of one year. */
export function MonthCalendar({ today, future, ...choice }: CalendarProps) {
  const { begun, shown, choose } = usePeriodChoice(choice)
  const now = today.slice(0, 7)
  const [year, setYear] = useState(Number((/^\d{4}-\d\d$/.test(shown.to) ? shown.to : now).slice(0, 4)))
  const isOff = (month: string) => !future && month > now
  const isLast = isOff(`${year + 1}-01`)
  return (
    <div className="calendar">
      <div className="calendar-month">
        <button type="button" className="btn icon back" aria-label="Previous year" onClick={() => setYear(year - 1)}>
          <Icon name="left" small />
        </button>
        <div className="caption font-strong" aria-live="polite">
          {year}
        </div>
        <button
          type="button"
          className="btn icon on"
          aria-label="Next year"
          aria-disabled={isLast || undefined}
          onClick={() => !isLast && setYear(year + 1)}
        >
          <Icon name="right" small />
        </button>
        <div className="months" role="group" aria-label={`Months of ${year}`}>
          {Array.from({ length: 12 }, (_, index) => addMonths(`${year}-01`, index)).map((month) => (
            <MonthButton key={month} {...{ month, shown }} off={isOff(month)} onChoose={() => choose(month)} />
          ))}
        </div>
      </div>
      {!choice.single && (
        <div className="hint" role="status">
          {begun === undefined
            ? 'Choose the first and the last month.'
            : `From ${formatMonth(begun)}: now choose the last month.`}
        </div>
      )}
    </div>
  )
}

interface MonthButtonProps {
  month: string
  shown: { from: string; to: string }
  off: boolean
  onChoose: () => void
}

function MonthButton({ month, shown: { from, to }, off, onChoose }: MonthButtonProps) {
  const isChosen = month >= from && month <= to
  const isEnd = month === from || month === to
  return (
    <button
      type="button"
      className={isEnd ? 'end' : undefined}
      aria-label={formatMonth(month)}
      aria-pressed={isChosen}
      disabled={off}
      onClick={onChoose}
    >
      {formatMonth(month).slice(0, 3)}
    </button>
  )
}
