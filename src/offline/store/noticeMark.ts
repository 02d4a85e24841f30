import * as v from 'valibot'

/** A notice that was read on this device. `at`: milliseconds of its clock; `sent`: the server knows. */
export const NoticeMark = v.object({ key: v.string(), at: v.number(), sent: v.boolean() })
export type NoticeMark = v.InferOutput<typeof NoticeMark>
