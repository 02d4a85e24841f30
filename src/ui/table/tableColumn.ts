import type { ReactNode } from 'react'

export interface Sort<C extends string> {
  column: C
  dir: 'asc' | 'desc'
}

/** `C`: the names that the rows can be sorted by. */
export interface Column<Row, C extends string = never> {
  key: string
  title: string
  /** The name to sort by; without it the column cannot be sorted. */
  sort?: C
  /** `right` is for amounts. */
  align?: 'right'
  /** For names, codes, numbers and amounts: page translators leave them unchanged. */
  exact?: true
  /** Dates and the like stay on one line. */
  nowrap?: true
  /** Hides the column in a window narrower than this, in px. Beside a sidebar it is hidden earlier. */
  hideBelow?: 940 | 900 | 760
  /** True if the cells only have buttons, which paper does not show. */
  screenOnly?: true
  /**
   * The column's place in a folded row on a phone: line 1 or 2, text (left) or value (right); line 3 is for a badge. Without a
   * place the column is hidden there.
   */
  fold?: 't1' | 'v1' | 't2' | 'v2' | 't3'
  cell: (row: Row) => ReactNode
}

/** The classes that hide the least important columns, but not on paper. A sidebar takes 240 px of the window. */
const HIDDEN = {
  940: 'print:table-cell! max-[58.8125em]:hidden desk:max-wide:group-not-data-folded/frame:hidden',
  900: 'print:table-cell! narrow:hidden desk:max-[71.3125em]:group-not-data-folded/frame:hidden',
  760: 'print:table-cell! max-[47.5625em]:hidden',
} as const

const EDGE = 'border-b border-border'

const SIDES = 'px-3 first:pl-4 last:pr-4'

const BODY = `h-[max(2.5rem,var(--control))] print:h-auto ${EDGE} in-[tr:last-child]:border-b-0`

const HEAD = `h-10 ${EDGE} bg-surface-sunken text-sm font-label whitespace-nowrap`

export const translateOf = ({ align, exact }: Pick<Column<never>, 'align' | 'exact'>) =>
  align === 'right' || exact ? 'no' : undefined

type Looks = Pick<Column<never>, 'align' | 'nowrap' | 'hideBelow' | 'screenOnly' | 'fold'>

/** Returns the class of a cell. Its place in a folded row is in table.css. */
export function cellClass({ align, nowrap, hideBelow, screenOnly, fold }: Looks = {}): string {
  const isOneLine = align === 'right' || nowrap
  const names = [
    `${BODY} ${SIDES} py-1`,
    align === 'right' && 'text-right',
    // Text of a folded row may break; a value may not.
    isOneLine && (fold === 't1' || fold === 't2' ? 'whitespace-nowrap phone:whitespace-normal' : 'whitespace-nowrap'),
    fold,
    hideBelow && HIDDEN[hideBelow],
    screenOnly && 'print:hidden',
  ]
  return names.filter(Boolean).join(' ')
}

/** Returns the class of a header of a column or a row. */
export function headClass({ align, hideBelow, screenOnly }: Looks = {}, sorted = false): string {
  const hidden = hideBelow ? HIDDEN[hideBelow] : screenOnly ? 'print:hidden' : ''
  return `${HEAD} ${SIDES} ${align === 'right' ? 'text-right' : 'text-left'} ${sorted ? 'text-text' : 'text-muted'} ${hidden}`
}

/** The class of the cell with the menu of the row. */
export const MENU_CELL = `${BODY} ${SIDES} menu-cell w-[1%] text-right whitespace-nowrap print:hidden`

/** The class of a row of the body. */
export const ROW = 'hover:bg-surface-sunken'

/** "Sorted by Date used, descending". The default order belongs to no column: rows come in the order in which they were made. */
export function orderText<C extends string>(
  columns: readonly Column<never, C>[],
  sort: Sort<C> | undefined,
): string | undefined {
  if (!sort) return undefined
  const by = columns.find((column) => column.sort === sort.column)
  if (by) return `Sorted by ${by.title}, ${sort.dir === 'asc' ? 'ascending' : 'descending'}`
  return sort.dir === 'asc' ? 'Oldest first' : 'Newest first'
}
