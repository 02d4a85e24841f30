import { DayPicker } from 'react-day-picker'
import { isCalendarDay } from '../../contract/fieldSchemas.ts'
import { formatDay } from '../../domain/singaporeTime.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { usePeriodChoice, type CalendarProps } from './usePeriodChoice.ts'

const YEARS_BACK = 10

/** One month of days, Monday first. */
export function DayCalendar({ today, future, ...choice }: CalendarProps) {
  const { begun, shown, choose } = usePeriodChoice(choice)
  const [from, to] = [shown.from, shown.to].map((day) => (isCalendarDay(day) ? toDate(day) : undefined))
  const now = toDate(today)
  const year = now.getFullYear()
  return (
    <DayPicker
      mode="range"
      selected={{ from: from ?? to, to: to ?? from }}
      onSelect={(_, day) => choose(toDay(day))}
      defaultMonth={to ?? from ?? now}
      today={now}
      disabled={future ? [] : { after: now }}
      startMonth={new Date(year - YEARS_BACK, 0)}
      endMonth={future ? new Date(year + YEARS_BACK, 11) : now}
      captionLayout="dropdown"
      navLayout="around"
      weekStartsOn={1}
      labels={LABELS}
      components={COMPONENTS}
      classNames={CLASSES}
      footer={choice.single ? undefined : hintOf(begun)}
    />
  )
}

const hintOf = (begun: string | undefined) =>
  begun === undefined ? 'Choose the first and the last day.' : `From ${formatDay(begun)}: now choose the last day.`

/** A calendar day as the library has it: noon of the device's own day, whatever its zone. */
function toDate(day: string): Date {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return new Date(year, month - 1, date, 12)
}

function toDay(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

const SPOKEN = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' })

const LABELS = {
  labelDayButton: (date: Date, is: { today?: boolean; selected?: boolean }) =>
    `${is.today ? 'Today, ' : ''}${SPOKEN.format(date)}${is.selected ? ', selected' : ''}`,
  labelPrevious: () => 'Previous month',
  labelNext: () => 'Next month',
  labelMonthDropdown: () => 'Month',
  labelYearDropdown: () => 'Year',
}

const COMPONENTS = {
  Chevron: ({ orientation = 'down' }: { orientation?: 'up' | 'down' | 'left' | 'right' }) => (
    <Icon drawing={ICONS[orientation]} small />
  ),
}

/** Back and on stand at both sides of the month. What a day looks like is in period.css: it depends on more than its button. */
const CLASSES = {
  root: 'calendar grid grid-cols-1 gap-2',
  month: 'grid grid-cols-[auto_minmax(0,1fr)_auto] items-center',
  month_caption: 'justify-self-center',
  month_grid: 'col-span-full w-full table-fixed border-collapse',
  button_previous: `${buttonClass({ variant: 'icon' })} col-start-1 row-start-1`,
  button_next: `${buttonClass({ variant: 'icon' })} col-start-3 row-start-1`,
  dropdowns: 'flex items-center gap-1',
  // The list lies over its word: as large, and as easy to hit.
  dropdown_root: 'group relative rounded-1 focus-within:outline-2 focus-within:outline-focus',
  dropdown: 'absolute inset-0 w-full cursor-pointer opacity-0 *:bg-surface-raised *:text-text',
  caption_label: 'flex min-h-control items-center gap-1 px-2 font-strong group-hover:bg-surface-hover',
  weekday: 'h-8 text-xs font-label text-muted',
  day: 'day',
  today: 'today',
  selected: 'chosen',
  range_start: 'first',
  range_middle: 'between',
  range_end: 'last',
  outside: 'outside',
  disabled: 'off',
  footer: 'px-2 text-muted',
}
