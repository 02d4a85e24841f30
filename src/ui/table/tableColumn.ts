import type { ReactNode } from 'react'

export interface Sort<C extends string> {
  column: C
  dir: 'asc' | 'desc'
}

/** `C` are the names the rows can be sorted by. */
export interface Column<Row, C extends string = never> {
  key: string
  title: string
  /** The name to sort by; without it the column cannot be sorted. */
  sort?: C
  /** Amounts stand at the right. */
  align?: 'right'
  /** Dates and the like stay on one line. */
  nowrap?: true
  /** Left out where the window is narrower, in px; where a sidebar stands beside it, earlier. */
  hideBelow?: 940 | 900 | 780
  /** Its place in a folded row on a phone: line 1 or 2, text (left) or value (right); line 3 is for a badge. Without one it is left out there. */
  fold?: 't1' | 'v1' | 't2' | 'v2' | 't3'
  cell: (row: Row) => ReactNode
}

const HIDDEN = { 940: 'e', 900: 'b', 780: 'c' } as const

type Looks = Pick<Column<never>, 'align' | 'nowrap' | 'hideBelow' | 'fold'>

export function columnClass({ align, nowrap, hideBelow, fold }: Looks) {
  const whole = align === 'right' || nowrap
  const names = [
    align === 'right' && 'text-right',
    // Text of a folded row may break; a value may not.
    whole && (fold === 't1' || fold === 't2' ? 'whitespace-nowrap phone:whitespace-normal' : 'whitespace-nowrap'),
    fold,
    hideBelow && HIDDEN[hideBelow],
  ]
  return names.filter(Boolean).join(' ') || undefined
}

/** "Sorted by Date used, descending". The wire's own order is of no column: rows come in the order they were made. */
export function orderText<C extends string>(
  columns: readonly Column<never, C>[],
  sort: Sort<C> | undefined,
): string | undefined {
  if (!sort) return undefined
  const by = columns.find((column) => column.sort === sort.column)
  if (by) return `Sorted by ${by.title}, ${sort.dir === 'asc' ? 'ascending' : 'descending'}`
  return sort.dir === 'asc' ? 'First added first' : 'Last added first'
}
