import { useState, type ComponentProps } from 'react'
import { addMonths } from '../../domain/months.ts'
import { formatMonth } from '../../domain/singaporeTime.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { usePeriodChoice, type CalendarProps } from './usePeriodChoice.ts'

/** The months of one year. */
export function MonthCalendar({ today, future, ...choice }: CalendarProps) {
  const { begun, shown, choose } = usePeriodChoice(choice)
  const now = today.slice(0, 7)
  const [year, setYear] = useState(Number((/^\d{4}-\d\d$/.test(shown.to) ? shown.to : now).slice(0, 4)))
  const isOff = (month: string) => !future && month > now
  const isLast = isOff(`${year + 1}-01`)
  return (
    <div className="grid grid-cols-1 gap-2">
      <div className="grid grid-cols-[auto_minmax(0,1fr)_auto] items-center">
        <button
          type="button"
          className={buttonClass({ variant: 'icon' })}
          aria-label="Previous year"
          onClick={() => setYear(year - 1)}
        >
          <Icon drawing={ICONS.left} small />
        </button>
        <div className="justify-self-center font-strong" aria-live="polite">
          {year}
        </div>
        <button
          type="button"
          className={buttonClass({ variant: 'icon' })}
          aria-label="Next year"
          aria-disabled={isLast || undefined}
          onClick={() => !isLast && setYear(year + 1)}
        >
          <Icon drawing={ICONS.right} small />
        </button>
        <div
          className="col-span-full grid w-full grid-cols-[repeat(3,1fr)] gap-1 py-1"
          role="group"
          aria-label={`Months of ${year}`}
        >
          {Array.from({ length: 12 }, (_, index) => addMonths(`${year}-01`, index)).map((month) => (
            <MonthButton key={month} {...{ month, shown }} off={isOff(month)} onChoose={() => choose(month)} />
          ))}
        </div>
      </div>
      {!choice.single && (
        <div className="px-2 text-muted" role="status">
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
    <PeriodButton
      className="text-center"
      aria-label={formatMonth(month)}
      chosen={isChosen && isEnd ? 'end' : isChosen}
      disabled={off}
      onClick={onChoose}
    >
      {formatMonth(month).slice(0, 3)}
    </PeriodButton>
  )
}

interface PeriodButtonProps extends ComponentProps<'button'> {
  /** `end`: the first or the last of what is chosen. */
  chosen: boolean | 'end'
}

/** A month, or a period by its name. */
export function PeriodButton({ chosen, className, ...rest }: PeriodButtonProps) {
  const look = chosen === 'end' ? CHOSEN.end : chosen ? CHOSEN.between : 'enabled:hover:bg-surface-hover'
  return (
    <button
      type="button"
      className={`min-h-control rounded-1 px-3 whitespace-nowrap disabled:cursor-not-allowed disabled:text-text-disabled ${look} ${className}`}
      aria-pressed={chosen !== false}
      {...rest}
    />
  )
}

/** Without colours of its own the system draws an edge round what is chosen. */
const CHOSEN = {
  end: 'border border-transparent bg-fill font-label text-on',
  between: 'border border-transparent bg-selected font-label text-selected-text enabled:hover:bg-surface-hover',
} as const
