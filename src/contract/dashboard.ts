import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { day, guid } from './fieldSchemas.ts'
import { cents, count, instant } from './wireFields.ts'

/** How much the dashboard shows. Not in LIMITS, which every screen loads. */
export const DASHBOARD = {
  /** The chart's thirty and the thirty before. */
  days: 60,
  latest: 10,
  /** A hold that ends sooner needs attention. */
  endingHoldHours: 2,
  /** Of each kind of what needs attention. */
  namedRows: 5,
} as const

const money = { count, cents }

/** The first few of something, and how many there are. */
const few = <R extends v.GenericSchema>(row: R) => v.object({ count, rows: v.array(row) })

/** A voucher whose hold ends soon, or has ended without anybody else taking it. */
export const EndingHold = v.object({ guid, till: v.string(), branch_name: v.string(), cents, ends: instant })
export type EndingHold = v.InferOutput<typeof EndingHold>

/** An account whose activation link was not followed yet. `guid` is the master's or the branch's. */
export const Invitation = v.object({
  kind: v.picklist(['master', 'branch']),
  guid,
  account_guid: guid,
  name: v.string(),
  email: v.string(),
  created_at: instant,
  /** When the link was last mailed. */
  invited_at: v.nullable(instant),
})
export type Invitation = v.InferOutput<typeof Invitation>

/** What somebody should look after. Lists hold at most DASHBOARD.namedRows, the most urgent first. */
export const Attention = v.object({
  /** Ending within DASHBOARD.endingHoldHours, soonest first. */
  holds: few(EndingHold),
  /** Longest waiting first. */
  invitations: few(Invitation),
  inactive_branches: count,
  /** Of branches that are Active, by name; `count` of a row is how many POS users. */
  inactive_pos_users: few(v.object({ branch_guid: guid, branch_name: v.string(), count })),
  /** Of those branches as well: Active, and not used for UNUSED_DAYS; the first few by name. */
  unused_pos_users: v.optional(
    few(v.object({ branch_guid: guid, branch_name: v.string(), count, usernames: v.array(v.string()) })),
    { count: 0, rows: [] },
  ),
  /** Active or Pending Activation (LIMITS.openMasters); `null` for whoever has no masters. */
  open_masters: v.nullable(count),
  /** My own password's; only when it is older than a year (rule 3.6). */
  password_set_at: v.nullable(instant),
})
export type Attention = v.InferOutput<typeof Attention>

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
  /** What a merchant needs before the first voucher can be taken. */
  active_branches: count,
  active_pos_users: count,
  /** More of that: whether a till has a name and a redemption stands, and the oldest Active branch. Older answers lack it. */
  first_steps: v.optional(v.object({ till: v.boolean(), redemption: v.boolean(), branch_guid: v.nullable(guid) })),
  attention: Attention,
})
export type Dashboard = v.InferOutput<typeof Dashboard>

export const readDashboard = endpoint({
  base: 'api',
  method: 'GET',
  path: '/dashboard',
  access: { feature: 'dashboard', action: 'view' },
  summary: 'What my scope redeemed today, this month and per day, and what needs attention',
  answer: Dashboard,
})
