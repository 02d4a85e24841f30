import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { guid, text } from '../fieldSchemas.ts'
import { LIMITS } from '../limits.ts'
import { Till } from '../redemptions/counter.ts'
import { byId } from '../tables/resourceEndpoints.ts'
import { enrolmentCode, instant } from '../wireFields.ts'

/** The code is shown once: the server keeps its hash. */
const Enrolment = v.object({ guid, code: v.string(), expires_at: instant })
export type Enrolment = v.InferOutput<typeof Enrolment>

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

const counter = { access: { feature: 'counter', action: 'redeem' } } as const

/** The same device can enrol again with the same code: the first answer, with its cookie, may have been lost. */
export const enrolDevice = endpoint({
  ...counter,
  method: 'PUT',
  path: '/till/:id/enrolment',
  summary:
    'Make this device a till of my branch, by a code from its manager; from then on a cookie identifies the device',
  params: byId,
  body: v.strictObject({ code: enrolmentCode }),
  answer: Till,
  errors: ['ENROLMENT_CODE_WRONG', 'TOO_MANY_ATTEMPTS'],
})

export const readTill = endpoint({
  ...counter,
  method: 'GET',
  path: '/till/:id',
  summary: "This device's name at my branch, and its enrolment",
  params: byId,
  /** `null` for a device that was never a till of my branch. */
  answer: v.nullable(v.object({ ...Till.entries, enrolled: v.boolean(), revoked: v.boolean() })),
})
