import { onFirstUse } from './onFirstUse.ts'

const DOLLARS = onFirstUse(
  () => new Intl.NumberFormat('en-SG', { style: 'currency', currency: 'SGD', currencyDisplay: 'narrowSymbol' }),
)

/** Returns for example `$1,204.50` from integer cents. Dividing is safe here: the result is only shown, never added up. */
export const formatCents = (amount: number): string => DOLLARS().format(amount / 100)

/** Returns for example `10.00`, for files: no symbol, no grouping, no floating point. */
export function centsAsDecimal(amount: number): string {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/**
 * Reads integer cents from typed text: `32`, `32.5`, `$1,204.50`, and `32,50` from a keypad with a comma; undefined for anything else. Never uses
 * floating point.
 */
export function centsFromText(typed: string): number | undefined {
  const text = typed.trim().replace(/,(\d{1,2})$/, '.$1')
  const match = /^\$?(\d{1,6})(?:\.(\d{1,2}))?$/.exec(text.replaceAll(/[\s,]/g, ''))
  if (!match) return undefined
  return Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}
