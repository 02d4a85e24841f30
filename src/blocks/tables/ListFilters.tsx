import { Children, type ReactElement, type ReactNode, useEffect, useEffectEvent, useId, useState } from 'react'
import type { AccountStatus } from '../../contract/accounts/permissions.ts'
import { isCalendarDay } from '../../contract/fieldSchemas.ts'
import { type ColumnOf, type FilterOf, type ListName, SEARCH_LENGTH } from '../../contract/tables/lists.ts'
import { formatDay, formatDayRange } from '../../domain/singaporeTime.ts'
import type { TableState } from '../../domain/tableState.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import type { Elements } from '../../ui/Elements.ts'
import { SelectField } from '../../ui/form/SelectField.tsx'
import type { NativeInput } from '../../ui/form/TextField.tsx'
import { SearchField } from '../../ui/form/TextFieldVariants.tsx'
import { type Drawing, Icon } from '../../ui/Icon.tsx'
import { Count, ICONS } from '../../ui/icons.tsx'
import { Menu } from '../../ui/overlay/Menu.tsx'
import type { Column, Sort } from '../../ui/table/tableColumn.ts'
import { PeriodField } from '../periods/PeriodField.tsx'
import { dayPresets } from '../periods/periods.ts'
import type { ViewList } from '../views/builtInViews.ts'
import { ListViews } from '../views/ListViews.tsx'
import { ExportButton, hasNoRow } from './ListTools.tsx'
import { type FileEndpoint, type ListState, sortedBy } from './RecordList.ts'
import type { RecordListRead } from './useRecordList.ts'

interface ListFiltersProps<N extends ListName> extends ListState<N> {
  /** The list. A phone offers its columns in a menu for sorting, since folded rows have no headers. */
  list: { name: ViewList; columns: readonly Column<never, ColumnOf<N>>[]; exportAs?: FileEndpoint }
  /** The label of the search. */
  search: string | Omit<ListSearchProps, 'q' | 'onSearch'>
  /** The filters. On a phone the filters are behind a button. */
  children?: ReactNode
  /** The read that the table shows: the exported file has the same rows. */
  read: ListRead
  /** For a list whose search and one filter find more than its own rows: a short list has them too. */
  stays?: { filter: FilterOf<N>; field: ReactElement }
  /** Other actions on the whole list, at the right. On a phone these actions are behind a button, except one with `data-stays`. */
  tools?: Elements
}

type ListRead = Pick<RecordListRead<unknown, object>, 'query'> & { data?: { total: number } | undefined }

export const isNarrowed = ({ q, filter }: Pick<TableState, 'q' | 'filter'>): boolean =>
  q !== '' || Object.values(filter).some(Boolean)

/** True if this device knows that the whole list is empty. */
export const isEmptyList = (read: Pick<ListRead, 'data'>, state: Pick<TableState, 'q' | 'filter'>): boolean =>
  hasNoRow(read) && !isNarrowed(state)

/** The change of state that shows the whole list again, in the same order. */
export const UNFILTERED = { q: '', filter: {}, page: 1, view: undefined } as const

/** Returns a filter as the value and change handler of a field. */
export const filterField =
  <N extends ListName>({ state, onState }: ListState<N>) =>
  (name: FilterOf<N>) => ({
    value: state.filter[name] ?? '',
    onChange: (value: string) => onState({ filter: { ...state.filter, [name]: value }, page: 1 }),
  })

/** The parts that a phone hides behind a button, so that the first row is near the top. */
type HiddenPart = 'filters' | 'more'

/** The props of a list's own filters, which set the label of the search themselves. */
export type OwnFiltersProps<N extends ListName> = Omit<ListFiltersProps<N>, 'search' | 'children'>

/** Shown above a table: search and filters, the way back to the whole list, and the list's tools. */
export function ListFilters<N extends ListName>(props: ListFiltersProps<N>) {
  const { list, search, state, onState, children, read, tools, stays } = props
  const id = useId()
  const [shown, setShown] = useState<HiddenPart>()
  const hasTools = useHasTools(state, read, stays?.filter)
  const hasSearch = hasTools || stays
  const filters = Children.toArray([stays?.field, hasTools && children])
  const exported = hasTools && list.exportAs && (
    <ExportButton endpoint={list.exportAs} query={read.query} nothing={hasNoRow(read)} />
  )
  const used = Object.values(state.filter).filter(Boolean).length
  const toggle = (part: HiddenPart) => ({
    expanded: shown === part,
    onClick: () => setShown(shown === part ? undefined : part),
  })
  return (
    <form
      className="mb-4 flex flex-wrap items-end gap-3 empty:hidden phone:gap-2"
      role={hasSearch ? 'search' : undefined}
      onSubmit={(event) => event.preventDefault()}
    >
      {hasSearch && (
        <>
          <ListSearch
            {...(typeof search === 'string' ? { label: search } : search)}
            q={state.q}
            onSearch={(q) => onState({ q, page: 1 }, true)}
          />
          <div className="hidden flex-none phone:flex">
            {filters.length > 0 && (
              <Toggle
                icon={ICONS.filter}
                label={used > 0 ? `Filters, ${used} used` : 'Filters'}
                {...toggle('filters')}
                id={id}
              >
                {used > 0 && <Count>{used}</Count>}
              </Toggle>
            )}
            {hasTools && (
              <>
                <TableSort
                  columns={list.columns}
                  sort={{ column: state.sort, dir: state.dir }}
                  triggerClass={`${buttonClass({ variant: 'icon' })} ${OPEN_LOOK}`}
                  onSort={(column) => onState(sortedBy(state, column))}
                />
                <Toggle icon={ICONS.more} label="More" {...toggle('more')} />
              </>
            )}
          </div>
        </>
      )}
      {hasTools && (
        // The cast is safe: the views of this list have only its own columns and filters.
        <ListViews
          list={list.name}
          state={state}
          onState={onState as ListState<ListName>['onState']}
          hiddenOnPhone={shown !== 'more'}
        />
      )}
      {filters.length > 0 && (
        // In one row with the search, if there is room. Without a greatest width, a select would be as wide as its longest choice.
        <div
          className={`contents *:not-[fieldset]:max-w-[13rem] phone:*:not-[fieldset]:max-w-none ${shown === 'filters' ? 'phone:grid phone:basis-full phone:grid-cols-[minmax(0,1fr)] phone:gap-3' : 'phone:hidden'}`}
          id={id}
        >
          {filters}
        </div>
      )}
      {isNarrowed(state) && (
        <Button variant="quiet" className="phone:basis-full" onClick={() => onState(UNFILTERED)}>
          Clear
        </Button>
      )}
      {(exported || tools) && (
        <div
          className={`ml-auto flex flex-wrap gap-2 print:hidden phone:grid phone:basis-full phone:grid-cols-[repeat(auto-fit,minmax(8.5rem,1fr))] ${hasTools && shown !== 'more' ? HIDDEN_TOOLS : ''}`}
        >
          {exported}
          {tools}
        </div>
      )}
    </form>
  )
}

/** A shorter list is read at a glance: search, filters, views and export would be more to read than its rows. */
const TOOLS_FROM_ROWS = 10

/**
 * True from the moment when the list is known to be long, or a search, filter or view is used, until the page is left: tools do
 * not vanish under the person who uses them. Search and filter that stay anyway need no others.
 */
function useHasTools({ q, filter, view }: TableState, { data }: ListRead, stays?: string): boolean {
  const [hasTools, setHasTools] = useState(false)
  const isUsed = isNarrowed(stays ? { q: '', filter: { ...filter, [stays]: '' } } : { q, filter }) || view === 'all'
  if (!hasTools && (isUsed || (data?.total ?? 0) >= TOOLS_FROM_ROWS)) setHasTools(true)
  return hasTools
}

/** The server is asked after a pause in typing, not at every key. */
const PAUSE_MS = 300

interface ListSearchProps extends Pick<NativeInput, 'placeholder' | 'inputMode' | 'maxLength'> {
  label: string
  q: string
  onSearch: (q: string) => void
  /** Turns what was typed into the search text: a serial without its spaces. */
  read?: (typed: string) => string
}

const trimmed = (typed: string) => typed.trim()

/** The search field. The URL takes the typed text after a pause. After Back, the field takes the text of the URL. */
function ListSearch({ q, onSearch, read = trimmed, maxLength = SEARCH_LENGTH, ...field }: ListSearchProps) {
  const [typed, setTyped] = useState(q)
  const follow = useEffectEvent(() => setTyped((now) => (read(now) === q ? now : q)))
  useEffect(() => follow(), [q])
  const searchFor = useEffectEvent((search: string) => search !== q && onSearch(search))
  const asked = useEffectEvent(() => read(typed))
  useEffect(() => {
    const pause = setTimeout(() => searchFor(asked()), PAUSE_MS)
    return () => clearTimeout(pause)
  }, [typed])
  return (
    <SearchField
      className="max-w-[22rem] flex-[1_1_14rem] phone:max-w-none phone:min-w-0 phone:flex-1"
      {...field}
      maxLength={maxLength}
      value={typed}
      onChange={setTyped}
    />
  )
}

const OPEN_LOOK = 'aria-expanded:bg-selected aria-expanded:text-selected-text'

/** Hides the tools on a phone. A row without any button is hidden too, because it would leave a gap. */
const HIDDEN_TOOLS = 'phone:*:not-data-stays:hidden phone:not-has-data-stays:hidden'

interface ToggleProps {
  icon: Drawing
  label: string
  expanded: boolean
  /** The id of the element that the button shows. */
  id?: string
  children?: Elements
  onClick: () => void
}

function Toggle({ icon, label, expanded, id, children, onClick }: ToggleProps) {
  return (
    <Button
      variant="icon"
      className={`relative ${OPEN_LOOK}`}
      aria-label={label}
      aria-expanded={expanded}
      aria-controls={id}
      onClick={onClick}
    >
      <Icon drawing={icon} />
      {children}
    </Button>
  )
}

interface StatusFilterProps {
  label?: string
  value: string
  /** The statuses that a row of this list can have. */
  statuses: readonly AccountStatus[]
  onChange: (status: string) => void
}

export function StatusFilter({ label = 'Status', value, statuses, onChange }: StatusFilterProps) {
  const options = statuses.map((status) => ({ value: status, label: status }))
  return (
    <SelectField label={label} value={value} onChange={onChange} options={[{ value: '', label: 'All' }, ...options]} />
  )
}

interface DaysFilterProps<F extends string> {
  label: string
  /** The filters for the first and the last day, and the labels of their fields. */
  from: readonly [F, string]
  to: readonly [F, string]
  filter: Partial<Record<F, string>>
  onFilter: (filter: Partial<Record<F, string>>) => void
}

/** Filters a list by its first and last Singapore day, both included. Either may be empty. */
export function DaysFilter<F extends string>({ label, from, to, filter, onFilter }: DaysFilterProps<F>) {
  const set = (changes: Partial<Record<F, string>>) => onFilter({ ...filter, ...changes })
  const end = ([name, words]: readonly [F, string]) => ({
    label: words,
    value: filter[name] ?? '',
    // An incomplete date does not change the list.
    onChange: (day: string) => (day === '' || isCalendarDay(day)) && set({ [name]: day } as Partial<Record<F, string>>),
  })
  const [first, last] = [filter[from[0]], filter[to[0]]]
  const isReversed = areDaysReversed(first, last)
  return (
    <>
      <PeriodField
        className="w-[20rem] phone:w-auto print:hidden"
        label={label}
        ends={[end(from), { ...end(to), ...(isReversed ? { error: `must not be before ${from[1]}` } : {}) }]}
        presets={dayPresets}
        onPeriod={(period) => set({ [from[0]]: period.from, [to[0]]: period.to } as Partial<Record<F, string>>)}
      />
      {(first || last) && (
        // The field would print the days in the order of the device's language.
        <div className="hidden print:block">
          <div className="font-label">{label}</div>
          <div>{daysText(first, last)}</div>
        </div>
      )}
    </>
  )
}

function daysText(first: string | undefined, last: string | undefined): string {
  if (first && last) return formatDayRange(first, last)
  return first ? `From ${formatDay(first)}` : `Until ${formatDay(last!)}`
}

const areDaysReversed = (from = '', to = ''): boolean => from !== '' && to !== '' && to < from

/** Returns the reason why no row is found, if the first day is after the last. */
export const reversedDays = (from = '', to = '') =>
  areDaysReversed(from, to) ? { text: 'The first day is after the last day.' } : {}

interface TableSortProps<Row, C extends string> {
  columns: readonly Column<Row, C>[]
  sort?: Sort<C>
  onSort: (column: C) => void
  triggerClass: string
}

/** Sorts the table where rows are folded and have no headers. */
function TableSort<Row, C extends string>({ columns, sort, onSort, triggerClass }: TableSortProps<Row, C>) {
  const sortable = columns.flatMap(({ sort: by, title }) => (by === undefined ? [] : [{ by, title }]))
  const current = sortable.find(({ by }) => by === sort?.column)
  const direction = sort?.dir === 'asc' ? 'ascending' : 'descending'
  return (
    <Menu
      label={current ? `Sort: ${current.title}, ${direction}` : 'Sort'}
      triggerClass={triggerClass}
      trigger={<Icon drawing={sort?.dir === 'asc' ? ICONS.arrowUp : ICONS.arrowDown} />}
      items={sortable.map(({ by, title }) => ({
        label: title,
        hint: by === sort?.column ? `Sorted ${direction}; again turns it round` : undefined,
        onSelect: () => onSort(by),
      }))}
    />
  )
}
