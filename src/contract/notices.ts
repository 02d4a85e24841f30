import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { guid } from './fieldSchemas.ts'
import { cents, count, instant } from './wireFields.ts'

/** A notice is new on a device until its key was seen there: what makes it news again is a part of it. */
const key = v.string()
const sum = { count, cents }

/** The concerns about money at a till that need its merchant: the same as on the page of devices (domain/devices/deviceConcerns.ts). */
export const TillConcern = v.variant('is', [
  /** It held something, and nobody has said what became of it. */
  v.object({ is: v.literal('unsettled'), ...sum }),
  /** Vouchers wait on it, and nothing was heard of it for so long. */
  v.object({ is: v.literal('silent'), silent_ms: count, ...sum }),
  /** It has late uploads that nobody has reviewed. */
  v.object({ is: v.literal('late'), ...sum }),
  /** It accepted vouchers without a check that were lost or refused, and nobody has reviewed them. */
  v.object({ is: v.literal('lost'), ...sum }),
])
export type TillConcern = v.InferOutput<typeof TillConcern>

export const Notice = v.variant('kind', [
  v.object({ kind: v.literal('till'), key, till: v.string(), branch_name: v.string(), concern: TillConcern }),
  /** Links for new logins that ran out before anybody used them. `guid`, `name` and `email`: of the one that ran out last. */
  v.object({
    kind: v.literal('invitations expired'),
    key,
    of: v.picklist(['branch', 'master']),
    count,
    guid,
    name: v.string(),
    email: v.string(),
  }),
  /** An action of the provider, in the words of the activity log (contract/activity/activity.ts). */
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
  /** Notices that need somebody, the worst first; then actions of the provider, newest first. */
  notices: v.array(Notice),
})
export type Notices = v.InferOutput<typeof Notices>

export const readNotices = endpoint({
  method: 'GET',
  path: '/notices',
  access: { feature: 'dashboard', action: 'view' },
  summary: 'What in my scope needs somebody, and what the provider did there',
  answer: Notices,
})
