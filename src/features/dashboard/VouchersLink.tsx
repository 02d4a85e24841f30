import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { ON_HOLD, type FilterOf } from '../../contract/tables/lists.ts'

type Filter = Partial<Record<FilterOf<'voucher'>, string>>

/** Filters the voucher table to what was redeemed in these Singapore days, both included. */
export const usedBetween = (used_from: string, used_to: string, more: Filter = {}): Filter => ({
  status: 'Used',
  used_from,
  used_to,
  ...more,
})
export const HELD_FILTER: Filter = { status: ON_HOLD }

/** What leads to the proof of a number, or to what it is about, stays as quiet as the number. */
export const OF_NUMBER = 'text-inherit decoration-border-control'

/** A figure as a link to the vouchers behind it. */
export const VouchersLink = ({ filter, children }: { filter: Filter; children: ReactNode }) => (
  <Link to="/vouchers" search={{ filter }} className={`py-[2px] ${OF_NUMBER}`}>
    {children}
  </Link>
)
