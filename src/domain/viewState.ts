import { PAGE_SIZES } from '../contract/tables/tableColumns.ts'
import type { TableQuery } from '../contract/tables/tableQuery.ts'
import { defaultSort, TODAY, viewedList, type ViewState } from '../contract/views.ts'
import { singaporeDay } from './singaporeTime.ts'
import { TABLE_DEFAULTS, type TableState } from './tableState.ts'

/**
 * A stored state as its list can show it today: what the list does not know any more is left out, field by field, as with a
 * broken link. Any input is accepted: a view outlives the columns that it was saved with.
 */
export function readViewState(list: string, stored: unknown): ViewState {
  const known = viewedList(list) ?? NOTHING
  const given = isRecord(stored) ? stored : {}
  const filter = isRecord(given['filter']) ? Object.entries(given['filter']) : []
  const hidden = Array.isArray(given['hidden']) ? (given['hidden'] as unknown[]) : []
  return {
    q: typeof given['q'] === 'string' ? given['q'] : '',
    filter: Object.fromEntries(
      filter.filter((pair): pair is [string, string] => known.filters.includes(pair[0]) && typeof pair[1] === 'string'),
    ),
    sort: known.sorts.find((sort) => sort === given['sort']) ?? defaultSort(list),
    dir: given['dir'] === 'asc' ? 'asc' : 'desc',
    size: PAGE_SIZES.find((size) => size === given['size']) ?? TABLE_DEFAULTS.size,
    hidden: known.columns.filter((column) => hidden.includes(column)),
  }
}

const NOTHING: { sorts: readonly string[]; filters: readonly string[]; columns: readonly string[] } = {
  sorts: [],
  filters: [],
  columns: [],
}

/** A list as it opens: everything, in its usual order. */
export const defaultViewState = (list: string) => ({ ...TABLE_DEFAULTS, sort: defaultSort(list) })

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** What of a table's state a view is about. */
type Shown = Pick<TableState, 'q' | 'filter' | 'sort' | 'dir' | 'size'>

/** The table that a view opens now: "today" is the Singapore day of `now`. */
export function openedState({ q, filter, sort, dir, size }: ViewState, now: Date): Shown {
  const today = singaporeDay(now)
  const days = Object.entries(filter).map(([name, value]) => [name, value === TODAY ? today : value])
  return { q, sort, dir, size, filter: Object.fromEntries(days) as Record<string, string> }
}

/** What is saved of a table that `from` opened: a day that came from its "today" goes on being today. */
export function savedState(shown: Shown, hidden: readonly string[], from: ViewState | undefined, now: Date): ViewState {
  const today = singaporeDay(now)
  const kept = Object.entries(shown.filter).flatMap(([name, value]) =>
    value ? [[name, value === today && from?.filter[name] === TODAY ? TODAY : value]] : [],
  )
  const { q, sort, dir, size } = shown
  return { q, sort, dir, size, filter: Object.fromEntries(kept) as Record<string, string>, hidden: [...hidden] }
}

/** Whether a table shows the same, whatever the order its filters were chosen in. */
export function showsSame(one: Shown, other: Shown): boolean {
  return asText(one) === asText(other)
}

function asText({ q, filter, sort, dir, size }: Shown): string {
  const used = Object.entries(filter).filter(([, value]) => value)
  return JSON.stringify([q, sort, dir, size, used.toSorted(([a], [b]) => (a < b ? -1 : 1))])
}

/** The table query of rule 11.1: start = (page - 1) * limit. */
export function toTableQuery<C extends string, F extends string>(state: TableState<C, F>): TableQuery<C, F> {
  const filters = Object.entries(state.filter) as [F, string | undefined][]
  return {
    start: (state.page - 1) * state.size,
    limit: state.size,
    search_str: state.q,
    order_by: [{ column: state.sort, sort_type: state.dir }],
    other_params: filters.flatMap(([key, value]) => (value ? [{ key, value }] : [])),
  }
}
