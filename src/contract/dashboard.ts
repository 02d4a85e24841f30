import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { day, guid } from './fieldSchemas.ts'
import { cents, count, instant } from './wireFields.ts'

/** The sizes of the dashboard's parts. Not in LIMITS, which every screen loads. */
export const DASHBOARD = {
  /** The chart's thirty days and the thirty before. */
  days: 60,
  latest: 10,
} as const

const money = { count, cents }

export const LatestRedemption = v.object({
  /** The guid of the voucher. */
  guid,
  serial: v.string(),
  denomination_cents: cents,
  redeemed_at: instant,
  branch_name: v.string(),
  pos_username: v.string(),
})
export type LatestRedemption = v.InferOutput<typeof LatestRedemption>

/**
 * The figures of my scope. Days and months are Singapore's; voided redemptions are not counted. Each sum covers whole days and equals the sum of the
 * voucher table under the same filters.
 */
export const Dashboard = v.object({
  as_of: instant,
  today_is: day,
  today: v.object(money),
  /** From the first of the month to today. */
  month: v.object(money),
  /** The month before, from its first day to the same day, or to its last one if it is shorter. */
  month_before: v.object({ from: day, to: day, ...money }),
  /** Current holds, including those after their end whose voucher no other till has taken. */
  on_hold: v.object({ ...money, tills: count }),
  /** The last DASHBOARD.days days, oldest first, days without a redemption included. */
  per_day: v.array(v.object({ day, ...money })),
  /** This month, largest sum first; the `guid` null means all branches beyond LIMITS.namedBranches together. */
  by_branch: v.array(v.object({ guid: v.nullable(guid), name: v.string(), ...money })),
  /** This month, smallest denomination first. */
  by_denomination: v.array(v.object({ denomination_cents: cents, ...money })),
  /** The latest redemptions within `per_day`, newest first; at most DASHBOARD.latest. */
  latest: v.array(LatestRedemption),
  /** The steps before a first voucher: the oldest Active branch, and for each other step true when it is done. */
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
