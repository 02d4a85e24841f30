import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid, text } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { Till } from '../redemptions/counter.ts'
import { byId } from '../tables/resourceEndpoints.ts'
import { enrolmentCode, instant } from '../wireFields.ts'

/** The code is shown once: the server keeps its hash. */
const Enrolment = v.object({ guid, code: v.string(), branch_name: v.string(), expires_at: instant })
export type Enrolment = v.InferOutput<typeof Enrolment>

const EnrolledTill = v.object({ ...Till.entries, branch_name: v.string() })
export type EnrolledTill = v.InferOutput<typeof EnrolledTill>

const edit = { access: { feature: 'pos', action: 'edit' } } as const

export const addDevice = endpoint({
  ...edit,
  method: 'POST',
  path: '/device/enrolment',
  summary: `Create a single-use code that makes one device a till of a branch in my scope; valid for ${LIMITS.enrolmentMinutes} minutes`,
  body: v.strictObject({ branch_guid: guid, name: text(LIMITS.tillNameLength) }),
  answer: Enrolment,
  errors: ['INVALID_STATE'],
})

export const readEnrolment = endpoint({
  ...edit,
  method: 'GET',
  path: '/device/enrolment/:id',
  summary: 'State of an enrolment code of my scope',
  params: byId,
  answer: v.object({ expires_at: instant, used_at: v.nullable(instant) }),
})

/**
 * The code is enough: a manager made it, and an enrolled till still needs a cashier's login for a voucher. The same device can enrol again with the
 * same code: the first answer, with its cookie, may have been lost.
 */
export const enrolDevice = endpoint({
  method: 'PUT',
  path: '/till/:id/enrolment',
  access: 'public',
  summary:
    'Make this device a till of a branch, by a code from its manager; from then on a cookie identifies the device',
  params: byId,
  /** With a branch, the code of another branch is refused. */
  body: v.strictObject({ code: enrolmentCode, branch_guid: v.optional(guid) }),
  answer: EnrolledTill,
  errors: ['ENROLMENT_CODE_WRONG', 'TOO_MANY_ATTEMPTS'],
})

export const readTill = endpoint({
  access: { feature: 'counter', action: 'redeem' },
  method: 'GET',
  path: '/till/:id',
  summary: "This device's name at my branch, and its enrolment",
  params: byId,
  /** `null` for a device that was never a till of my branch. */
  answer: v.nullable(v.object({ ...Till.entries, enrolled: v.boolean(), revoked: v.boolean() })),
})
