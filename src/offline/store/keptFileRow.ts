import * as v from 'valibot'

/** A file of the programme that was opened on this device; its bytes lie in `files` under the same id. */
export const KeptFileRow = v.object({
  /** The resource's guid. */
  id: v.string(),
  filename: v.string(),
  type: v.string(),
  size: v.number(),
  /** `updated_at` of the resource it was downloaded from: a later one means that there is a newer file. */
  version: v.string(),
  /** Milliseconds of this device's clock. */
  keptAt: v.number(),
})
export type KeptFileRow = v.InferOutput<typeof KeptFileRow>
