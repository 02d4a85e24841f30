import { useState } from 'react'
import type { Period } from './periods.ts'

export interface CalendarProps {
  chosen: Period
  /** The first choice is the whole period. */
  single: boolean
  today: string
  future: boolean
  onPeriod: (period: Period) => void
}

/** Two presses choose a period, in either order; with a period already there the first begins a new one. */
export function usePeriodChoice({ chosen, single, onPeriod }: Pick<CalendarProps, 'chosen' | 'single' | 'onPeriod'>) {
  const [begun, setBegun] = useState<string>()
  const choose = (date: string) => {
    if (single) return onPeriod({ from: date, to: date })
    if (begun === undefined) return setBegun(date)
    const [from, to] = date < begun ? [date, begun] : [begun, date]
    onPeriod({ from, to })
  }
  const shown: Period = begun === undefined ? chosen : { from: begun, to: begun }
  return { begun, shown, choose }
}
