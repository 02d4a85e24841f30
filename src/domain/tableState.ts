import * as v from 'valibot'
import {
  columnsOf,
  isFilterValue,
  LISTS,
  PAGE_SIZES,
  SEARCH_LENGTH,
  type ColumnOf,
  type FilterOf,
  type ListName,
} from '../contract/tables/lists.ts'

const searchLength = v.maxLength<string, number>(SEARCH_LENGTH)

/** Keeps only the filters that the list knows and that have a value. */
const keepKnown =
  <N extends ListName>(list: N) =>
  (given: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(given).filter(([key, value]) => isFilterValue(list, key, value)),
    ) as TableState<N>['filter']

/**
 * The table state, which is stored only in the URL. Each invalid field gets its default: a broken link shows the default table instead of an error.
 */
export function tableSearch<const N extends ListName>(list: N) {
  const { page, size, q, sort, dir, filter } = tableDefaults(list)
  return v.object({
    page: v.optional(v.fallback(v.pipe(v.number(), v.integer(), v.minValue(1)), page), page),
    size: v.optional(v.fallback(v.picklist(PAGE_SIZES), size), size),
    // A serial in a link that was typed by hand is parsed as a number.
    q: v.optional(v.fallback(v.pipe(v.union([v.string(), v.number()]), v.transform(String), searchLength), q), q),
    sort: v.optional(v.fallback(v.picklist(columnsOf(list)), sort), sort),
    dir: v.optional(v.fallback(v.picklist(['asc', 'desc']), dir), dir),
    filter: v.optional(
      v.fallback(v.pipe(v.record(v.string(), v.string()), v.transform(keepKnown(list))), filter),
      filter,
    ),
    /** For vouchers, whose address without other parameters means the latest redemptions. */
    view: v.fallback(v.optional(v.picklist(['latest', 'all'])), undefined),
  })
}

export interface TableState<N extends ListName = ListName> {
  page: number
  size: (typeof PAGE_SIZES)[number]
  q: string
  sort: ColumnOf<N>
  dir: 'asc' | 'desc'
  filter: Partial<Record<FilterOf<N>, string>>
  view?: 'latest' | 'all' | undefined
}

/** Returns the state for an address without parameters. */
export const tableDefaults = <N extends ListName>(list: N) =>
  ({ page: 1, size: 10, q: '', sort: LISTS[list].sort as ColumnOf<N>, dir: 'desc', filter: {} }) as const

/** The built-in view that an address without search, filter, order or view means. */
export const LATEST_REDEMPTIONS = { view: 'latest', sort: 'date_used' } as const

type Opening = Pick<TableState, 'q' | 'filter' | 'sort' | 'dir' | 'view'>

/** True if nothing is searched or filtered, and the order is the default one or that of the view. */
const isDefaultOpening = ({ q, filter, sort, dir }: Opening) =>
  q === '' &&
  dir === 'desc' &&
  Object.values(filter).every((value) => !value) &&
  ['guid', LATEST_REDEMPTIONS.sort].includes(sort)

/** Returns the state that an address of the vouchers means. */
export const withLatest = <S extends Opening>(state: S) =>
  state.view === undefined && isDefaultOpening(state) ? { ...state, ...LATEST_REDEMPTIONS } : state

/** Returns the part of the state that the address must contain. */
export const withoutLatest = <S extends Opening>(state: S) =>
  state.view === LATEST_REDEMPTIONS.view && state.sort === LATEST_REDEMPTIONS.sort && isDefaultOpening(state)
    ? { ...state, view: undefined, sort: 'guid' as const }
    : state
