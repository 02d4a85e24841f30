import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { day, guid } from './fieldSchemas.ts'
import { cents, count, instant } from './wireFields.ts'

/** The sizes of the dashboard's parts. Not in LIMITS, which every screen loads. */
export const DASHBOARD = {
  /** At least the chart's four weeks and the four before. */
  days: 60,
  latest: 10,
  /** The busy hours of the last weeks, beside as many weeks before. */
  weeks: 8,
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
    practice: v.boolean(),
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

/** A sum of the last DASHBOARD.weeks weeks, and of as many weeks before. */
const compared = { count, cents, count_before: count, cents_before: cents }

/**
 * When my scope redeems: sums by weekday and hour in Singapore over the last DASHBOARD.weeks whole weeks, which end yesterday. Voided redemptions are
 * not counted. Hours without a redemption in either period are absent.
 */
export const BusyHours = v.object({
  from: day,
  to: day,
  hours: v.array(
    v.object({
      /** 1 is Monday, 7 is Sunday. */
      weekday: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(7)),
      /** The hour that begins at this full hour: 12 is 12:00 to 13:00. */
      hour: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(23)),
      ...compared,
    }),
  ),
})
export type BusyHours = v.InferOutput<typeof BusyHours>

export const readBusyHours = endpoint({
  method: 'GET',
  path: '/dashboard/busy_hours',
  access: { feature: 'dashboard', action: 'view' },
  summary: 'What my scope redeemed by weekday and hour in the last eight weeks',
  answer: BusyHours,
})
