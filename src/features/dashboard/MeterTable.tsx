import type { ReactNode } from 'react'
import { formatCents } from '../../domain/money.ts'
import { pluralize } from '../../domain/counted.ts'
import { onFirstUse } from '../../domain/onFirstUse.ts'

export interface MeterRow {
  key: string
  name: ReactNode
  count: number
  cents: number
  /** Makes the amount the way to its proof. */
  prove?: (amount: string) => ReactNode
}

const PERCENT = onFirstUse(() => new Intl.NumberFormat('en-SG', { style: 'percent' }))

/** Shares of a whole, each with a bar against the largest. */
export function MeterTable({ caption, rows }: { caption: string; rows: readonly MeterRow[] }) {
  const whole = rows.reduce((sum, { cents }) => sum + cents, 0)
  const largest = Math.max(1, ...rows.map(({ cents }) => cents))
  return (
    <table className="table meters" aria-label={caption}>
      <tbody>
        {rows.map(({ key, name, count, cents, prove }) => (
          <tr key={key}>
            <td>{name}</td>
            <td className="of-largest" aria-hidden="true">
              <div className="meter" style={{ width: `${(cents / largest) * 100}%` }} />
            </td>
            <td className="num share">{PERCENT().format(whole === 0 ? 0 : cents / whole)}</td>
            <td className="num strong sum" title={pluralize(count, 'voucher')}>
              {prove ? prove(formatCents(cents)) : formatCents(cents)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
