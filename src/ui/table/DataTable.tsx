import { memo, type MouseEvent, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { Button } from '../Button.tsx'
import type { Elements } from '../Elements.ts'
import { EmptyState } from '../EmptyState.tsx'
import { SELECT } from '../form/SelectField.tsx'
import { type Drawing, Icon } from '../Icon.tsx'
import { ICONS } from '../icons.tsx'
import { ProgressBar } from '../ProgressBar.tsx'
import { orderText, type Sort } from './tableColumn.ts'
import { Table, TableHead } from './TableHead.tsx'
import { TableRows, type TableRowsProps, TableSkeleton } from './TableRows.tsx'

interface DataTableProps<Row, C extends string> extends TableRowsProps<Row, C> {
  /** For screen readers. */
  caption: string
  /** `refreshing` keeps the old rows in view; `error` shows `error` instead of rows. */
  phase: 'loading' | 'refreshing' | 'ready' | 'error'
  sort?: Sort<C>
  /** Called after a press on a header. The caller decides the direction. */
  onSort?: (column: C) => void
  page: number
  size: number
  sizes?: readonly number[]
  total: number
  totalCapped?: boolean
  onPage?: (page: number) => void
  onSize?: (size: number) => void
  strip?: Elements
  /** Shown when there is no row. */
  empty: Elements
  /** True if the whole list may have rows when none is shown. An empty list has no header. */
  keepsHead?: boolean
  error?: Elements
  /** Announced to screen readers with the rows, instead of order and range. */
  announcement?: string | undefined
}

const MOST_SKELETON_ROWS = 10

/** Every table of the portal. Header row and box stay while rows come and go, so that nothing jumps. */
export function DataTable<Row, C extends string = never>(props: DataTableProps<Row, C>) {
  const { columns, rows, phase, sort, onSort, onPage, rowMenu, rowKey, rowName } = props
  const withMenu = rowMenu !== undefined
  const foldable = columns.some(({ fold }) => fold)
  const empty = phase === 'error' ? (props.error ?? <LoadFailed />) : props.empty
  const hasRows = phase !== 'error' && rows.length > 0
  const hasHead = hasRows || props.keepsHead || phase === 'loading' || phase === 'error'
  const sortBy = useStableCallback((column: C) => onSort?.(column))
  return (
    <>
      <div className="relative overflow-x-auto print:overflow-visible rounded-2 border border-border bg-surface [--ground:var(--surface)]">
        {phase === 'refreshing' && <TableRefreshing />}
        {props.strip}
        {hasHead && (
          <Table label={props.caption} fold={foldable} withMenu={withMenu}>
            <TableHead columns={columns} sort={sort} withMenu={withMenu} onSort={onSort && sortBy} />
            {phase === 'loading' ? (
              <TableSkeleton columns={columns} withMenu={withMenu} rows={Math.min(props.size, MOST_SKELETON_ROWS)} />
            ) : (
              hasRows && (
                <TableRows
                  columns={columns}
                  rows={rows}
                  rowKey={rowKey}
                  rowMenu={rowMenu}
                  rowName={rowName}
                  refreshing={phase === 'refreshing'}
                  byPlace={onPage !== undefined}
                />
              )
            )}
          </Table>
        )}
        {phase !== 'loading' && !hasRows && empty}
        {hasRows && <Foot {...props} />}
      </div>
      <Announcement {...props} />
    </>
  )
}

const LATE_MS = 200

/** Rendered after a delay, so that a quick answer has nothing to draw and remove. */
function TableRefreshing() {
  const [late, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  return late && <ProgressBar className="absolute inset-x-0 top-0 h-[2px] rounded-none" label="Refreshing" />
}

function Foot<Row, C extends string>(props: DataTableProps<Row, C>) {
  const { page, size, sizes, total, totalCapped, onPage, onSize, rows, columns, sort } = props
  const paging = { page, size, sizes, total, totalCapped, onPage, onSize }
  return <TableFoot {...paging} shown={rows.length} order={orderText(columns, sort)} />
}

function LoadFailed() {
  return <EmptyState icon={ICONS.alert} role="alert" title="The list could not be loaded" text="Nothing was changed." />
}

/** Announces to screen readers the order and the range after a press. */
function Announcement<Row, C extends string>(props: DataTableProps<Row, C>) {
  const { columns, sort, phase, rows, announcement } = props
  const order = orderText(columns, sort)
  return (
    <div className="sr-only" role="status">
      {phase === 'ready' && (announcement ?? `${order ? `${order}. ` : ''}${rangeText(props, rows.length)}`)}
    </div>
  )
}

/**
 * Returns one function that always calls the newest `callback`, so that memoised children are not drawn again. It is only for
 * events: during rendering it would call the previous function.
 */
function useStableCallback<A extends unknown[], R>(callback: (...args: A) => R): (...args: A) => R {
  const latest = useRef(callback)
  useLayoutEffect(() => {
    latest.current = callback
  })
  return useCallback((...args: A) => latest.current(...args), [])
}

interface TableFootProps extends PagePosition {
  shown: number
  /** The order of the rows in words. */
  order: string | undefined
  sizes?: readonly number[]
  onPage?: (page: number) => void
  onSize?: (size: number) => void
}

/** Keeps the requested page in its own state: a press redraws the foot, and not the table. */
function TableFoot({ shown, order, sizes, onPage, onSize, ...current }: TableFootProps) {
  const requested = useRequestedPage(current.page, (page) => onPage?.(page))
  const position = { ...current, page: requested.page }
  const hasPages = position.page > 1 || position.total > Math.min(position.size, ...(sizes ?? []))
  return (
    <div
      className="flex min-h-12 flex-wrap items-center gap-x-4 border-t border-border py-1 pr-2 pl-4 text-muted"
      data-table-foot
    >
      <span className="whitespace-nowrap">{rangeText(position, shown)}</span>
      {order && <span className={hasPages ? 'phone:order-last phone:basis-full' : undefined}>{order}</span>}
      {hasPages && onSize && sizes && <Sizes sizes={sizes} onSize={onSize} size={position.size} />}
      {hasPages && onPage && (
        <nav className="ml-auto flex items-center gap-1 print:hidden" aria-label="Pages">
          <PageButton
            icon={ICONS.left}
            name="Previous page"
            off={position.page <= 1}
            act={() => requested.press(position.page - 1)}
          />
          <span className="whitespace-nowrap">{pageText(position)}</span>
          <PageButton
            icon={ICONS.right}
            name="Next page"
            off={position.page >= pageCount(position)}
            act={() => requested.press(position.page + 1)}
          />
        </nav>
      )}
    </div>
  )
}

interface SizesProps {
  size: number
  sizes: readonly number[]
  onSize: (size: number) => void
}

const Sizes = memo(function Sizes({ size: chosen, sizes, onSize }: SizesProps) {
  return (
    <label className="flex items-center gap-2 phone:hidden print:hidden">
      Rows per page
      <select
        className={`${SELECT} w-[4.5rem]`}
        value={chosen}
        onChange={(event) => onSize(Number(event.target.value))}
      >
        {sizes.map((size) => (
          <option key={size}>{size}</option>
        ))}
      </select>
    </label>
  )
})

interface PageButtonProps {
  icon: Drawing
  name: string
  off: boolean
  act: () => void
}

/** Stays focusable on the first and the last page: a disabled button would lose the focus under the user's finger. */
function PageButton({ icon, name, off, act }: PageButtonProps) {
  const press = (event: MouseEvent<HTMLButtonElement>) => {
    // Safari does not focus a pressed button.
    event.currentTarget.focus()
    act()
  }
  return (
    <Button variant="icon" aria-label={name} aria-disabled={off || undefined} onClick={press}>
      <Icon drawing={icon} />
    </Button>
  )
}

/**
 * Returns the requested page at once. The next frame shows it, and only then the router goes there, because its work takes longer
 * than a frame on a slow tablet. After several quick presses the last one counts.
 */
function useRequestedPage(page: number, onPage: (page: number) => void) {
  const [requested, setRequested] = useState<{ from: number; to: number }>()
  // The address has changed since the press. The request is forgotten for good, because Back may lead to that page again.
  if (requested && requested.from !== page) setRequested(undefined)
  const cancelGoing = useRef<() => void>(undefined)
  useEffect(() => () => cancelGoing.current?.(), [])
  const press = (to: number) => {
    cancelGoing.current?.()
    setRequested({ from: page, to })
    cancelGoing.current = afterFrame(() => onPage(to))
  }
  return { page: requested?.to ?? page, press }
}

/** Calls `run` once the next frame is painted. Returns the function that cancels it. */
function afterFrame(run: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => (timer = setTimeout(run)))
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

let numbers: Intl.NumberFormat | undefined
const formatCount = (count: number) => (numbers ??= new Intl.NumberFormat('en-SG')).format(count)

interface PagePosition {
  /** Counts from 1. */
  page: number
  size: number
  total: number
  /** True if the counting stopped at `total`. */
  totalCapped?: boolean
}

export const pageCount = ({ size, total }: PagePosition) => Math.max(1, Math.ceil(total / size))

/** `1–10 of 1,204`, `1–10 of 10,000+`. `shown` is the number of rows on this page. */
function rangeText(position: PagePosition, shown: number): string {
  if (position.total === 0 || shown === 0) return `0 of ${totalText(position)}`
  const first = (position.page - 1) * position.size + 1
  const last = first + shown - 1
  return `${first === last ? formatCount(first) : `${formatCount(first)}–${formatCount(last)}`} of ${totalText(position)}`
}

const pageText = (position: PagePosition) =>
  `Page ${formatCount(position.page)} of ${formatCount(pageCount(position))}${position.totalCapped ? '+' : ''}`

const totalText = ({ total, totalCapped }: PagePosition) => `${formatCount(total)}${totalCapped ? '+' : ''}`
