import { useId, type ReactNode } from 'react'

interface PanelProps {
  title: string
  /** At the right of the title. */
  action?: ReactNode
  className?: string
  children: ReactNode
}

/** Facts or controls that belong together, under their name. */
export function Panel({ title, action, className, children }: PanelProps) {
  const id = useId()
  return (
    <section className={className ? `panel ${className}` : 'panel'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {action}
      </header>
      {children}
    </section>
  )
}

/** What somebody else wrote, in their own lines. */
export const Words = ({ children }: { children: ReactNode }) => (
  <span className="whitespace-pre-line wrap-anywhere">{children}</span>
)

/** Name and value; an array is one value of several lines. */
export type Fact = readonly [name: string, value: ReactNode | readonly string[]]

export function Facts({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <FactRow key={name} name={name} value={value} />
      ))}
    </dl>
  )
}

function FactRow({ name, value }: { name: string; value: Fact[1] }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{isLines(value) ? value.map((line) => <div key={line}>{line}</div>) : value}</dd>
    </>
  )
}

const isLines = (value: Fact[1]): value is readonly string[] => Array.isArray(value)
