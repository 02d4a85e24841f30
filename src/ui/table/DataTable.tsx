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
  error?: Elements
  /** Announced to screen readers with the rows, instead of order and range. */
  announcement?: string | undefined
}

const MOST_SKELETON_ROWS = 10

/** Every table of the portal. Header row and box stay in every state, so that nothing jumps. */
export function DataTable<Row, C extends string = never>(props: DataTableProps<Row, C>) {
  const { columns, rows, phase, sort, onSort, onPage, rowMenu, rowKey, rowName } = props
  const withMenu = rowMenu !== undefined
  const foldable = columns.some(({ fold }) => fold)
  const empty = phase === 'error' ? (props.error ?? <LoadFailed />) : props.empty
  const hasRows = phase !== 'error' && rows.length > 0
  const sortBy = useStableCallback((column: C) => onSort?.(column))
  return (
    <>
      <div className="relative overflow-x-auto rounded-2 border border-border bg-surface [--ground:var(--surface)]">
        {phase === 'refreshing' && <TableRefreshing />}
        {props.strip}
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
 * Returns one function that always calls the newest `now`, so that memoised children are not drawn again. It is only for events:
 * during rendering it would call the one before.
 */
function useStableCallback<A extends unknown[], R>(now: (...args: A) => R): (...args: A) => R {
  const latest = useRef(now)
  useLayoutEffect(() => {
    latest.current = now
  })
  return useCallback((...args: A) => latest.current(...args), [])
}

interface TableFootProps extends PageOf {
  shown: number
  /** The order of the rows in words. */
  order: string | undefined
  sizes?: readonly number[]
  onPage?: (page: number) => void
  onSize?: (size: number) => void
}

/** Keeps the requested page in its own state: a press redraws the foot, and not the table. */
function TableFoot({ shown, order, sizes, onPage, onSize, ...there }: TableFootProps) {
  const asked = useAskedPage(there.page, (page) => onPage?.(page))
  const of = { ...there, page: asked.page }
  return (
    <div
      className="flex min-h-12 flex-wrap items-center gap-x-4 border-t border-border py-1 pr-2 pl-4 text-muted"
      data-table-foot
    >
      <span className="whitespace-nowrap">{rangeText(of, shown)}</span>
      {order && <span className="phone:order-last phone:basis-full">{order}</span>}
      {onSize && sizes && <Sizes sizes={sizes} onSize={onSize} size={of.size} />}
      {onPage && (
        <nav className="ml-auto flex items-center gap-1" aria-label="Pages">
          <Step icon={ICONS.left} name="Previous page" off={of.page <= 1} act={() => asked.press(of.page - 1)} />
          <span className="whitespace-nowrap">{pageText(of)}</span>
          <Step
            icon={ICONS.right}
            name="Next page"
            off={of.page >= pageCount(of)}
            act={() => asked.press(of.page + 1)}
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
    <label className="flex items-center gap-2 phone:hidden">
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

interface StepProps {
  icon: Drawing
  name: string
  off: boolean
  act: () => void
}

/** Stays focusable on the first and the last page: a disabled button would lose the focus under the person's finger. */
function Step({ icon, name, off, act }: StepProps) {
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
function useAskedPage(page: number, onPage: (page: number) => void) {
  const [asked, setAsked] = useState<{ from: number; to: number }>()
  // The address has changed since, after the press or for another reason. The request is forgotten for good, because Back may lead
  // to that page again.
  if (asked && asked.from !== page) setAsked(undefined)
  const going = useRef<() => void>(undefined)
  useEffect(() => () => going.current?.(), [])
  const press = (to: number) => {
    going.current?.()
    setAsked({ from: page, to })
    going.current = afterFrame(() => onPage(to))
  }
  return { page: asked?.to ?? page, press }
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
const spelled = (count: number) => (numbers ??= new Intl.NumberFormat('en-SG')).format(count)

interface PageOf {
  /** Counts from 1. */
  page: number
  size: number
  total: number
  /** True if the counting stopped at `total`. */
  totalCapped?: boolean
}

export const pageCount = ({ size, total }: PageOf) => Math.max(1, Math.ceil(total / size))

/** `1–10 of 1,204`, `1–10 of 10,000+`. `shown` is the number of rows on this page. */
function rangeText(of: PageOf, shown: number): string {
  if (of.total === 0 || shown === 0) return `0 of ${totalText(of)}`
  const first = (of.page - 1) * of.size + 1
  const last = first + shown - 1
  return `${first === last ? spelled(first) : `${spelled(first)}–${spelled(last)}`} of ${totalText(of)}`
}

const pageText = (of: PageOf) => `Page ${spelled(of.page)} of ${spelled(pageCount(of))}${of.totalCapped ? '+' : ''}`

const totalText = ({ total, totalCapped }: PageOf) => `${spelled(total)}${totalCapped ? '+' : ''}`
