import { useId, type ComponentProps, type ReactNode } from 'react'
import type { Elements } from './Elements.ts'

interface PanelProps {
  title: string
  level?: 'h2' | 'h3'
  /** The id of the title, for links to the panel. */
  id?: string
  /** At the right of the title. */
  action?: Elements
  className?: string
  children: Elements
}

/** The class of a box, inside which a wider table scrolls. */
const BOX =
  'rounded-2 border border-border bg-surface [--ground:var(--surface)] has-[>.table]:overflow-x-auto print:overflow-visible!'

/** A panel without a name. */
export const Box = ({
  children,
  ...rest
}: Pick<ComponentProps<'div'>, 'children' | 'role' | 'aria-busy' | 'aria-label'>) => (
  <div className={BOX} {...rest}>
    {children}
  </div>
)

/** Facts or controls that belong together, with a title. */
export function Panel({ title, level: Title = 'h2', id, action, className, children }: PanelProps) {
  const ownId = useId()
  const titleId = id ?? ownId
  return (
    <section className={className ? `${BOX} ${className}` : BOX} aria-labelledby={titleId}>
      <header className="flex min-h-12 items-center justify-between gap-4 border-b border-border px-4 py-1 phone:flex-wrap print:break-after-avoid *:[a]:inline-flex *:[a]:min-h-control *:[a]:items-center print:*:[a]:hidden">
        <Title id={titleId}>{title}</Title>
        {action}
      </header>
      {children}
    </section>
  )
}

interface StackProps extends ComponentProps<'div'> {
  /** Adds the space between panels. */
  apart?: boolean
  /** Adds the distance to the edge of the panel around it. */
  padded?: boolean
}

/** Puts its children below each other. */
export function Stack({ apart, padded, className = '', ...rest }: StackProps) {
  const look = `grid content-start *:min-w-0 ${apart ? 'gap-6' : 'gap-4'} ${padded ? 'p-4' : ''} ${className}`
  return <div className={look} {...rest} />
}

const COLUMNS = {
  /** The main content, and a column for what belongs to it. */
  aside: 'grid-cols-[minmax(0,1fr)_22rem] gap-6',
  even: 'grid-cols-2 gap-6',
  /** A form and its result. Two dates fit side by side in the form, with any font. */
  form: 'grid-cols-[19rem_minmax(0,1fr)] gap-8',
} as const

/** Two columns, where there is room. */
export const Split = ({ columns = 'aside', children }: { columns?: keyof typeof COLUMNS; children: ReactNode }) => (
  <div className={`grid items-start *:min-w-0 max-wide:grid-cols-1 print:block ${COLUMNS[columns]}`}>{children}</div>
)

/** Text that another person wrote, with its line breaks. */
export const Words = ({ children }: { children: ReactNode }) => (
  <span className="whitespace-pre-line wrap-anywhere">{children}</span>
)

/** A name, a code or a number. Page translators leave it unchanged. */
export const Exact = ({ children }: { children: string }) => <span translate="no">{children}</span>

/** A name and its value. An array is a value with several lines. */
export type Fact = readonly [name: string, value: ReactNode | readonly string[]]

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="grid grid-cols-[minmax(8rem,min(34%,15rem))_1fr] phone:grid-cols-1">
      {facts.map(([name, value]) => (
        <FactRow key={name} name={name} value={value} />
      ))}
    </dl>
  )
}

function FactRow({ name, value }: { name: string; value: Fact[1] }) {
  return (
    <>
      <dt className="border-t border-border py-3 pl-4 text-muted first-of-type:border-t-0 phone:pb-0">{name}</dt>
      <dd className="min-w-0 border-t border-border px-4 py-3 wrap-anywhere first-of-type:border-t-0 phone:border-t-0 phone:pt-0">
        {isLines(value) ? value.map((line) => <div key={line}>{line}</div>) : value}
      </dd>
    </>
  )
}

/** A prominent figure, with its name above and its note below. */
type Figure = readonly [name: string, value: ReactNode, note: string]

/** The columns for three and for four figures, and the lines between them. */
const FIGURES = {
  3: { row: 'grid-cols-3 phone:grid-cols-1', cell: '' },
  4: {
    row: 'grid-cols-4 max-wide:grid-cols-2 phone:grid-cols-1',
    cell: 'max-wide:nth-3:border-l-0 max-wide:nth-[n+3]:border-t',
  },
} as const

export function Figures({ figures }: { figures: readonly Figure[] }) {
  const { row, cell } = FIGURES[figures.length === 3 ? 3 : 4]
  return (
    <dl className={`grid rounded-2 border border-border bg-surface ${row}`}>
      {figures.map(([name, value, note]) => (
        <div
          key={name}
          className={`border-border px-5 py-4 not-first:border-l phone:not-first:border-t phone:not-first:border-l-0 ${cell}`}
        >
          <dt className="text-muted">{name}</dt>
          <dd className="my-1 text-3xl font-strong tracking-[-0.02em] whitespace-nowrap" translate="no">
            {value}
          </dd>
          <dd className="text-muted">{note}</dd>
        </div>
      ))}
    </dl>
  )
}

interface ItemProps extends Pick<ComponentProps<'li'>, 'aria-current' | 'aria-labelledby'> {
  look?: keyof typeof ITEMS
  /** Its icon or picture. */
  mark?: Elements
  /** The action on the item. A link ends at the same edge as the other actions. */
  action?: Elements
  /** In a very narrow window, puts the action below the words. */
  actionBelow?: boolean
  children: ReactNode
}

const ITEMS = {
  plain: 'grid-cols-[auto_1fr_auto] items-center px-4',
  /** Without a mark. */
  words: 'grid-cols-[minmax(0,1fr)_auto] items-center px-4',
  /** In a dialog, from edge to edge. */
  dialog: 'grid-cols-[auto_1fr_auto] items-start px-6',
} as const

/** An entry of a list in a panel. */
export function Item({ look = 'plain', mark, action, actionBelow, children, ...rest }: ItemProps) {
  return (
    <li
      className={`grid min-h-[4.25rem] gap-3 border-border py-3 not-first:border-t *:[a]:inline-flex *:[a]:min-h-control *:[a]:min-w-control *:[a]:items-center *:[a]:justify-end ${ITEMS[look]}`}
      {...rest}
    >
      {mark}
      <div className="min-w-0 wrap-anywhere">{children}</div>
      {action && actionBelow ? (
        <div className="max-[30.0625em]:col-start-2 max-[30.0625em]:-col-end-1">{action}</div>
      ) : (
        action
      )}
    </li>
  )
}

const isLines = (value: Fact[1]): value is readonly string[] => Array.isArray(value)
