import * as v from 'valibot'
import { PAGE_SIZES, SEARCH_LENGTH } from '../contract/tables/tableColumns.ts'

const searchLength = v.maxLength<string, number>(SEARCH_LENGTH)

/** What a filter takes; one without a schema takes any text. */
type FilterValues<F extends string> = Partial<Record<F, v.GenericSchema<string, unknown>>>

const known =
  <F extends string>(filters: readonly F[], values: FilterValues<F>) =>
  (given: Record<string, string>): Partial<Record<F, string>> =>
    Object.fromEntries(
      Object.entries(given).filter(
        ([key, value]) => value !== '' && filters.includes(key as F) && v.is(values[key as F] ?? v.string(), value),
      ),
    ) as Partial<Record<F, string>>

/**
 * Table state as it stands in the URL, and nowhere else. URL input falls back field by field: a broken link shows the default
 * table instead of an error.
 */
export const tableSearch = <const C extends readonly string[], const F extends readonly string[]>(
  columns: C,
  filters: F,
  values: FilterValues<F[number]> = {},
  /** The order of an address that names none. */
  sort: C[number] = 'guid',
) =>
  v.object({
    page: v.optional(v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1)), 1), 1),
    size: v.optional(v.fallback(v.picklist(PAGE_SIZES), 10), 10),
    // A serial in a link typed by hand reads as a number.
    q: v.optional(v.fallback(v.pipe(v.union([v.string(), v.number()]), v.transform(String), searchLength), ''), ''),
    sort: v.optional(v.fallback(v.picklist(columns), sort), sort),
    dir: v.optional(v.fallback(v.picklist(['asc', 'desc']), 'desc'), 'desc'),
    filter: v.optional(
      v.fallback(v.pipe(v.record(v.string(), v.string()), v.transform(known<F[number]>(filters, values))), {}),
      {},
    ),
    /** Of the vouchers, where an address that says nothing else means the latest redemptions. */
    view: v.fallback(v.optional(v.picklist(['latest', 'all'])), undefined),
  })

export interface TableState<C extends string = string, F extends string = string> {
  page: number
  size: (typeof PAGE_SIZES)[number]
  q: string
  sort: C
  dir: 'asc' | 'desc'
  filter: Partial<Record<F, string>>
  view?: 'latest' | 'all' | undefined
}

/** A built-in view that an address means which says neither search, filter, order nor view. */
export const LATEST_REDEMPTIONS = { view: 'latest', sort: 'date_used' } as const

type Opening = Pick<TableState, 'q' | 'filter' | 'sort' | 'dir' | 'view'>

/** Nothing is searched, and the order is the wire's own or that of the view. */
const saysNothing = ({ q, filter, sort, dir }: Opening) =>
  q === '' &&
  dir === 'desc' &&
  Object.values(filter).every((value) => !value) &&
  ['guid', LATEST_REDEMPTIONS.sort].includes(sort)

/** The state that an address of the vouchers stands for. */
export const withLatest = <S extends Opening>(state: S) =>
  state.view === undefined && saysNothing(state) ? { ...state, ...LATEST_REDEMPTIONS } : state

/** What of it the address has to say. */
export const withoutLatest = <S extends Opening>(state: S) =>
  state.view === LATEST_REDEMPTIONS.view && state.sort === LATEST_REDEMPTIONS.sort && saysNothing(state)
    ? { ...state, view: undefined, sort: 'guid' as const }
    : state

export const TABLE_DEFAULTS = { page: 1, size: 10, q: '', sort: 'guid', dir: 'desc', filter: {} } as const
