import * as v from 'valibot'

/** One refused field: where (`from`, `brands.0.name`), which rule, and the spec's words for it. Never the value itself. */
export const FieldIssue = v.object({ path: v.string(), rule: v.string(), message: v.string() })
export type FieldIssue = v.InferOutput<typeof FieldIssue>

/** Facts beside a code: `fields` for a refused form, the others where a code names them. */
export const FailureData = v.looseObject({ fields: v.optional(v.array(FieldIssue)) })

/** Every answer that is not 200 or 201 (DESIGN §4, spec §8). */
export const Failure = v.object({
  message: v.string(),
  error: v.string(),
  data: v.optional(FailureData, {}),
  request_id: v.string(),
})
export type Failure = v.InferOutput<typeof Failure>

/** Every 200 and 201 that is not a file: `{ data }`. */
export const success = <S extends v.GenericSchema>(data: S) => v.object({ data })
