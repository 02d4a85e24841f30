import type { FilterOf, ListName } from '../contract/tables/lists.ts'
import type { TableQuery } from '../contract/tables/tableQuery.ts'
import { singaporeDay } from './singaporeTime.ts'
import type { TableState } from './tableState.ts'

/** In the place of a day: the day on which the view is opened. */
export const TODAY = 'today'

/** What a view says of its table. A page is none of it: a view opens at its beginning. */
export type ViewState = Pick<TableState, 'q' | 'filter' | 'sort' | 'dir' | 'size'>

/** Where a browser stores the views of an account; without one, how all of these begin. */
export const viewsKey = (owner = ''): string => `views/${owner}`

/** The table that a view opens now: "today" is the Singapore day of `now`. */
export const openedState = (view: ViewState, now: Date): ViewState => withDay(view, TODAY, singaporeDay(now))

/** What is saved of a table: who looks at today wants to see the day on which they open it. */
export const savedState = (shown: ViewState, now: Date): ViewState => withDay(shown, singaporeDay(now), TODAY)

function withDay({ q, filter, sort, dir, size }: ViewState, from: string, to: string): ViewState {
  const days = Object.entries(filter).flatMap(([name, value]) => (value ? [[name, value === from ? to : value]] : []))
  return { q, sort, dir, size, filter: Object.fromEntries(days) as Record<string, string> }
}

/** Whether a table shows the same, whatever the order its filters were chosen in. */
export function showsSame(one: ViewState, other: ViewState): boolean {
  return asText(one) === asText(other)
}

function asText({ q, filter, sort, dir, size }: ViewState): string {
  const used = Object.entries(filter).filter(([, value]) => value)
  return JSON.stringify([q, sort, dir, size, used.toSorted(([a], [b]) => (a < b ? -1 : 1))])
}

/** The table query of rule 11.1: start = (page - 1) * limit. */
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
