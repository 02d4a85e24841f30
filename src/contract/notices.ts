import * as v from 'valibot'
import { endpoint } from './endpoint.ts'
import { guid } from './fieldSchemas.ts'
import { LIMITS } from './limits.ts'
import { HOLD_ENDINGS } from './redemptions/hold.ts'
import { cents, count, instant, listOf } from './wireFields.ts'

/**
 * What a notice is known by, the same on every device of a person: its kind and what it is about. The device makes some itself
 * (a report that is ready); the server keeps no more of those than that they were read.
 */
const noticeKey = v.pipe(v.string(), v.regex(/^[a-z]+:[\w.:-]{1,100}$/, 'must be the key of a notice'))

const facts = {
  key: noticeKey,
  /** When it became true. */
  at: instant,
  read: v.boolean(),
}
/** The organisation was let into the programme. */
const Approved = v.object({ ...facts, kind: v.literal('approved'), organisation: v.string() })
/** A link for a new login ran out before anybody used it. `guid` is the branch's or the master's. */
const InvitationExpired = v.object({
  ...facts,
  kind: v.literal('invitation expired'),
  of: v.picklist(['branch', 'master']),
  guid,
  name: v.string(),
  email: v.string(),
})
/** Those that ran out beside the newest LIMITS.namedNotices. */
const MoreExpired = v.object({ ...facts, kind: v.literal('more invitations expired'), count })
/** A voucher that was on hold at a till is not any more, and not by the till's doing. */
const HoldReleased = v.object({
  ...facts,
  kind: v.literal('hold released'),
  by: v.picklist(HOLD_ENDINGS),
  till: v.string(),
  branch_name: v.string(),
  voucher_guid: guid,
  serial: v.string(),
  cents,
})
export const Notice = v.variant('kind', [Approved, InvitationExpired, MoreExpired, HoldReleased])
export type Notice = v.InferOutput<typeof Notice>

/** Nothing was heard of a till for LIMITS.silentHours, and it has vouchers that are not uploaded. */
const TillSilent = v.object({
  ...facts,
  kind: v.literal('till silent'),
  till: v.string(),
  branch_name: v.string(),
  count,
  cents,
})
export type TillSilent = v.InferOutput<typeof TillSilent>

/** A till has late uploads that nobody has reviewed. `at`: when the newest of them came. */
const LateUploadsNotice = v.object({
  ...facts,
  kind: v.literal('late uploads'),
  till: v.string(),
  branch_name: v.string(),
  count,
  cents,
})
export type LateUploadsNotice = v.InferOutput<typeof LateUploadsNotice>

/** A till accepted vouchers without a check that were lost or refused, and nobody has reviewed them. `at`: when the newest of them came. */
const VouchersLost = v.object({
  ...facts,
  kind: v.literal('vouchers lost'),
  till: v.string(),
  branch_name: v.string(),
  count,
  cents,
})
export type VouchersLost = v.InferOutput<typeof VouchersLost>

export const Notices = v.object({
  /** What concerns this person of the last LIMITS.noticeDays, newest first. */
  notices: v.pipe(v.array(Notice), v.maxLength(LIMITS.notices)),
  silent_tills: v.array(TillSilent),
  late_uploads: v.array(LateUploadsNotice),
  losses: v.array(VouchersLost),
  /** Every key this person has read, those of notices that devices make included. */
  read_keys: v.array(noticeKey),
})
export type Notices = v.InferOutput<typeof Notices>

export const readNotices = endpoint({
  base: 'api',
  method: 'GET',
  path: '/notices',
  access: 'session',
  summary: 'What concerns me and is worth knowing, newest first, with what I have read of it',
  answer: Notices,
})

/** Marking twice is fine: what is read stays read. */
export const markNoticesRead = endpoint({
  base: 'api',
  method: 'POST',
  path: '/notices/read',
  access: 'session',
  summary: 'Remember that I have read these notices, on every device of mine',
  body: v.strictObject({
    keys: v.pipe(listOf(noticeKey, LIMITS.noticeMarks), v.minLength(1)),
  }),
  answer: v.object({ read: count }),
})
