import { useState, type KeyboardEvent } from 'react'
import { call } from '../../api/call.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { LoadError } from '../../blocks/cached/CachedStrip.tsx'
import { BusyHours, DASHBOARD, readBusyHours } from '../../contract/dashboard.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatDayRange } from '../../domain/singaporeTime.ts'
import { WEEKDAYS } from '../../domain/weekdays.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { ExactSentence } from '../../ui/ExactSentence.tsx'
import { Panel, Stack } from '../../ui/Panel.tsx'
import { nextIndex } from '../../ui/rovingKeys.ts'
import { describeChange } from './KeyFigures.tsx'

/** Shows when vouchers are redeemed: each hour of a week, over the last eight weeks, beside the eight before. Works offline. */
export function BusyHoursPanel() {
  const { guid } = useUser()
  const { data, phase, error, retry } = useCachedRead(guid, 'busyHours', BusyHours, (signal) =>
    call(readBusyHours, { signal }),
  )
  return (
    <Panel
      title="Busy hours"
      action={data && <span className="text-sm text-muted">{formatDayRange(data.from, data.to)}</span>}
    >
      {phase === 'failed' ? (
        <LoadError what="Busy hours" error={error} onRetry={retry} />
      ) : (
        <Stack padded className="gap-2">
          {data?.hours.length === 0 ? (
            <p className="text-muted">Today’s vouchers are counted from tomorrow.</p>
          ) : data ? (
            <WeekOfHours hours={data.hours} />
          ) : (
            <p className="min-h-[20rem]">{'\u00a0'}</p>
          )}
        </Stack>
      )}
    </Panel>
  )
}

const WEEKS = `${DASHBOARD.weeks} weeks`

type Sum = Pick<BusyHours['hours'][number], 'count' | 'cents' | 'count_before' | 'cents_before'>
const NOTHING: Sum = { count: 0, cents: 0, count_before: 0, cents_before: 0 }

const add = (a: Sum, b: Sum): Sum => ({
  count: a.count + b.count,
  cents: a.cents + b.cents,
  count_before: a.count_before + b.count_before,
  cents_before: a.cents_before + b.cents_before,
})

interface Place {
  /** 0 is Monday. */
  weekday: number
  /** The index of the row: first the shown hours, then one row for the whole day. */
  row: number
}

/**
 * A table of hours and weekdays. The darker a cell, the more vouchers. The cell under the pointer or the focus is told in words above the table, and its
 * hour and weekday are marked. One tab stop; the arrow keys move.
 */
function WeekOfHours({ hours }: Pick<BusyHours, 'hours'>) {
  const [active, setActive] = useState<Place>()
  const shown = hoursBetween(hours.map(({ hour }) => hour))
  const sumOf = ({ weekday, row }: Place) =>
    hours
      .filter((one) => one.weekday === weekday + 1 && (row === shown.length || one.hour === shown[row]))
      .reduce(add, NOTHING)
  const largest = Math.max(1, ...hours.map(({ count }) => count))
  const timeOf = ({ weekday, row }: Place) =>
    `${WEEKDAYS[weekday]}${row === shown.length ? '' : `, ${formatHour(shown[row]!)}`}`
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const { weekday, row } = active ?? { weekday: 0, row: 0 }
    const next = {
      weekday: nextIndex(event.key, weekday, WEEKDAYS.length, 'horizontal') ?? weekday,
      row: nextIndex(event.key, row, shown.length + 1, 'vertical') ?? row,
    }
    if (next.weekday === weekday && next.row === row) return
    event.preventDefault()
    event.currentTarget.querySelector<HTMLElement>(`[data-place="${next.weekday}-${next.row}"]`)?.focus()
  }
  const cell = (row: number, weekday: number) => {
    const place = { weekday, row }
    const sum = sumOf(place)
    const isWhole = row === shown.length
    const isActive = active?.weekday === weekday && active.row === row
    const isStop = active ? isActive : row === 0 && weekday === 0
    return (
      <td
        key={weekday}
        className={`relative h-8 border border-surface text-center ${isWhole ? WHOLE_DAY : 'text-sm'} ${isActive ? 'outline-2 -outline-offset-2 outline-focus' : ''}`}
        tabIndex={isStop ? 0 : -1}
        data-place={`${weekday}-${row}`}
        onFocus={() => setActive(place)}
        onPointerEnter={() => setActive(place)}
      >
        {!isWhole && (
          <i
            className="absolute inset-0 rounded-1 bg-chart-now"
            // Light enough for the number in it.
            style={{ opacity: sum.count === 0 ? 0.04 : 0.1 + (0.35 * sum.count) / largest }}
          />
        )}
        <span className="relative" aria-hidden="true" translate="no">
          {isWhole ? formatChange(sum) : sum.count || ''}
        </span>
        <span className="sr-only">
          <ExactSentence text={`${timeOf(place)}: ${describe(sum)}`} />
        </span>
      </td>
    )
  }
  return (
    <>
      <p className="min-h-10">
        <ExactSentence
          text={`${active ? `${timeOf(active)}: ${describe(sumOf(active))}` : describeWeek(hours, shown)}.`}
        />
      </p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys go over the cells */}
      <table
        className="w-full table-fixed border-collapse [print-color-adjust:exact]"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-to-interactive-role -- its cells take the focus
        role="grid"
        aria-label="Vouchers by hour and weekday"
        aria-readonly="true"
        onKeyDown={move}
        onPointerLeave={({ pointerType }) => pointerType !== 'touch' && setActive(undefined)}
        onBlur={({ currentTarget, relatedTarget }) => currentTarget.contains(relatedTarget) || setActive(undefined)}
      >
        <thead>
          <tr>
            <th scope="col" className="w-12">
              <span className="sr-only">Hour</span>
            </th>
            {WEEKDAYS.map((name, weekday) => (
              <th key={name} scope="col" className={headClass(active?.weekday === weekday)}>
                {name.slice(0, 3)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((hour, row) => (
            <tr key={hour}>
              <th scope="row" className={`text-left ${headClass(active?.row === row)}`} translate="no">
                {formatClock(hour)}
              </th>
              {WEEKDAYS.map((_, weekday) => cell(row, weekday))}
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" className={`text-left ${headClass(active?.row === shown.length)}`}>
              Day
            </th>
            {WEEKDAYS.map((_, weekday) => cell(shown.length, weekday))}
          </tr>
        </tfoot>
      </table>
      <p className="text-xs text-muted">{`A number counts vouchers. Day compares the amount with the ${WEEKS} before.`}</p>
    </>
  )
}

/** Turned on a phone, whose columns are narrower than `+126%`. */
const WHOLE_DAY =
  'text-xs font-strong [@media(max-width:28em)]:py-2 [@media(max-width:28em)]:[&>[translate]]:[writing-mode:vertical-rl]'

const headClass = (isActive: boolean) => `h-8 text-xs font-label ${isActive ? 'text-text' : 'text-muted'}`

/** Returns every hour from the first to the last in which something was redeemed. */
function hoursBetween(hours: readonly number[]): number[] {
  if (hours.length === 0) return []
  const first = Math.min(...hours)
  return Array.from({ length: Math.max(...hours) - first + 1 }, (_, index) => first + index)
}

const formatClock = (hour: number) => `${String(hour % 24).padStart(2, '0')}:00`
const formatHour = (hour: number) => `${formatClock(hour)}–${formatClock(hour + 1)}`

/** Returns the change of a weekday for its narrow column, such as `+12%`. */
function formatChange({ cents, cents_before: before }: Sum): string {
  if (before === 0) return cents === 0 ? '' : 'new'
  const change = Math.round((100 * (cents - before)) / before)
  return change === 0 ? '=' : `${change > 0 ? '+' : '−'}${Math.abs(change)}%`
}

const describe = ({ count, cents, cents_before: before }: Sum) =>
  `${pluralize(count, 'voucher')}, ${describeChange(cents, before, `the ${WEEKS} before`)}`

/** Names the busiest hour, and compares the whole. */
function describeWeek(hours: BusyHours['hours'], shown: readonly number[]): string {
  const [busiest] = hours.toSorted((a, b) => b.count - a.count)
  const all = describe(hours.reduce<Sum>(add, NOTHING))
  if (!busiest?.count || shown.length === 0) return `In ${WEEKS} ${all}`
  const when = `${WEEKDAYS[busiest.weekday - 1]}, ${formatHour(busiest.hour)}`
  return `Busiest: ${when}, ${pluralize(busiest.count, 'voucher')} in ${WEEKS}. In all ${all}`
}
