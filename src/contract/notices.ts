import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { guid } from './fieldSchemas.ts'
import { cents, count, instant } from './wireFields.ts'

/** A notice is new on a device until its key was seen there. The key changes when the notice is news again. */
const key = v.string()
const sum = { count, cents }

/**
 * A problem of a till that concerns money and that its merchant must look at. The page of devices shows it too (domain/devices/deviceConcerns.ts).
 */
export const TillConcern = v.variant('is', [
  /** The till had vouchers on hold that were never settled. */
  v.object({ is: v.literal('unsettled'), ...sum }),
  /** The till has vouchers to upload, and has not reported for `silent_ms`. */
  v.object({ is: v.literal('silent'), silent_ms: count, ...sum }),
  /** The till has late uploads that were not reviewed. */
  v.object({ is: v.literal('late'), ...sum }),
  /** The till accepted vouchers without a check that were lost or refused, and not reviewed. */
  v.object({ is: v.literal('lost'), ...sum }),
])
export type TillConcern = v.InferOutput<typeof TillConcern>

export const Notice = v.variant('kind', [
  v.object({ kind: v.literal('till'), key, till: v.string(), branch_name: v.string(), concern: TillConcern }),
  /** Links for new logins that expired unused. `guid`, `name` and `email` are those of the login whose link expired last. */
  v.object({
    kind: v.literal('invitations expired'),
    key,
    of: v.picklist(['branch', 'master']),
    count,
    guid,
    name: v.string(),
    email: v.string(),
  }),
  /** An action of the provider, with fields of its activity entry (contract/activity/activity.ts). */
  v.object({
    kind: v.literal('act'),
    key,
    at: instant,
    action: v.string(),
    subject: v.object({ type: v.string(), id: v.string(), name: v.string() }),
    branch_name: v.nullable(v.string()),
    details: v.record(v.string(), v.union([v.string(), v.number()])),
  }),
])
export type Notice = v.InferOutput<typeof Notice>

export const Notices = v.object({
  /** First the notices that need action, the worst first; then actions of the provider, newest first. */
  notices: v.array(Notice),
})
export type Notices = v.InferOutput<typeof Notices>

export const readNotices = endpoint({
  method: 'GET',
  path: '/notices',
  access: { feature: 'dashboard', action: 'view' },
  summary: 'What needs attention in my scope, and what the provider did there',
  answer: Notices,
})
