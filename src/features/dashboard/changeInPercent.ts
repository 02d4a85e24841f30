import { onFirstUse } from '../../domain/onFirstUse.ts'

const PERCENT = onFirstUse(
  () =>
    new Intl.NumberFormat('en-SG', {
      style: 'percent',
      maximumFractionDigits: 1,
      signDisplay: 'exceptZero',
    }),
)

/** `+6.2%`. Compared with nothing there is no percentage. */
export function changeInPercent(before: number, now: number): string {
  if (before === 0) return now === 0 ? '0%' : 'None before'
  return PERCENT().format((now - before) / before)
}
