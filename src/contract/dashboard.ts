import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { day, guid } from './fieldSchemas.ts'
import { cents, count, instant } from './wireFields.ts'

/** How much the dashboard shows. Not in LIMITS, which every screen loads. */
export const DASHBOARD = {
  /** The chart's thirty and the thirty before. */
  days: 60,
  latest: 10,
} as const

const money = { count, cents }

export const LatestRedemption = v.object({
  /** The voucher's. */
  guid,
  serial: v.string(),
  denomination_cents: cents,
  redeemed_at: instant,
  branch_name: v.string(),
  pos_username: v.string(),
})
export type LatestRedemption = v.InferOutput<typeof LatestRedemption>

/**
 * Of my scope. Days and months are Singapore's; what was voided is in no number. Each sum is of whole days and equals what the
 * voucher table finds under the same filters.
 */
export const Dashboard = v.object({
  as_of: instant,
  /** The day it is. */
  today_is: day,
  today: v.object(money),
  /** From the first to today. */
  month: v.object(money),
  /** The month before, from its first day to the same day, or to its last one if it is shorter. */
  month_before: v.object({ from: day, to: day, ...money }),
  /** Now, past their end too as long as nobody else took the voucher. */
  on_hold: v.object({ ...money, tills: count }),
  /** The last DASHBOARD.days days, oldest first, days without a redemption included. */
  per_day: v.array(v.object({ day, ...money })),
  /** This month, largest sum first; a `guid` of null is all branches beyond LIMITS.namedBranches together. */
  by_branch: v.array(v.object({ guid: v.nullable(guid), name: v.string(), ...money })),
  /** This month, smallest denomination first. */
  by_denomination: v.array(v.object({ denomination_cents: cents, ...money })),
  /** Within those days, newest first. */
  latest: v.array(LatestRedemption),
  /** The steps before a first voucher: the oldest Active branch, and for the rest whether there is one. */
  first_steps: v.object({
    branch_guid: v.nullable(guid),
    pos_user: v.boolean(),
    till: v.boolean(),
    redemption: v.boolean(),
  }),
})
export type Dashboard = v.InferOutput<typeof Dashboard>

export const readDashboard = endpoint({
  method: 'GET',
  path: '/dashboard',
  access: { feature: 'dashboard', action: 'view' },
  summary: 'What my scope redeemed today, this month and per day',
  answer: Dashboard,
})
