import type { ReactNode } from 'react'

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
