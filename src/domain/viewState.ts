import type { FilterOf, ListName } from '../contract/tables/lists.ts'
import type { TableQuery } from '../contract/tables/tableQuery.ts'
import { singaporeDay } from './singaporeTime.ts'
import type { TableState } from './tableState.ts'

/** The value of a day filter that stands for the day on which the view is opened. */
export const TODAY = 'today'

/** The part of a table's state that a view stores. The page is not part of it: a view opens at its first page. */
export type ViewState = Pick<TableState, 'q' | 'filter' | 'sort' | 'dir' | 'size'>

/** The key under which a browser stores the views of an account; without an account, the prefix of all such keys. */
export const viewsKey = (owner = ''): string => `views/${owner}`

/** Returns the state of the table that a view opens now: "today" is the Singapore day of `now`. */
export const openedState = (view: ViewState, now: Date): ViewState => withDay(view, TODAY, singaporeDay(now))

/** Returns the state to save: today's date becomes "today", so that the view shows the day on which it is opened. */
export const savedState = (shown: ViewState, now: Date): ViewState => withDay(shown, singaporeDay(now), TODAY)

function withDay({ q, filter, sort, dir, size }: ViewState, from: string, to: string): ViewState {
  const days = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value === from ? to : value]] : []))
  return { q, sort, dir, size, filter: Object.fromEntries(days) as Record<string, string> }
}

/** True if both states show the same table, in whatever order the filters were chosen. */
export function showsSame(one: ViewState, other: ViewState): boolean {
  return asText(one) === asText(other)
}

function asText({ q, filter, sort, dir, size }: ViewState): string {
  const used = Object.entries(filter).filter(([, value]) => value)
  return JSON.stringify([q, sort, dir, size, used.toSorted(([a], [b]) => (a < b ? -1 : 1))])
}

/** Returns the table query of rule 11.1: start = (page - 1) * limit. */
export function toTableQuery<N extends ListName>(state: TableState<N>): TableQuery<N> {
  const filters = Object.entries(state.filter) as [FilterOf<N>, string | undefined][]
  return {
    start: (state.page - 1) * state.size,
    limit: state.size,
    search_str: state.q,
    order_by: [{ column: state.sort, sort_type: state.dir }],
    other_params: filters.flatMap(([key, value]) => (value ? [{ key, value }] : [])),
  }
}
