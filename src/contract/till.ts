import * as v from 'valibot'
import { guid, text } from './fieldSchemas.ts'
import { endpoint } from './endpoint.ts'
import { LIMITS } from './limits.ts'
import { byId } from './tables/resourceEndpoints.ts'

/** A device at the counter: its random id, made on the device, and the name it has at one branch, "Till 2". */
export const Till = v.object({ guid, name: v.string(), branch_guid: guid })
export type Till = v.InferOutput<typeof Till>

/** A name is for people, and two tills may share one: a device that lost its memory is given its old name again. */
export const nameTill = endpoint({
  base: 'api',
  method: 'PUT',
  path: '/till/:id',
  access: { feature: 'counter', action: 'redeem' },
  summary: 'Name this device at my branch, or name it anew; holds and receipts carry the name',
  params: byId,
  body: v.strictObject({ name: text(LIMITS.tillNameLength) }),
  answer: Till,
})
