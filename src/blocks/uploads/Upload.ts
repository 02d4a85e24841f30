import * as v from 'valibot'

/** A file that has arrived: what a form keeps of it, in its draft too. */
export const Upload = v.object({
  /** What the server calls it. */
  key: v.string(),
  /** What the person calls it. */
  filename: v.string(),
  /** Bytes. */
  size: v.number(),
  /** A small picture of an image, as data URL: nobody can read an upload back before it was submitted. */
  preview: v.optional(v.string()),
})
export type Upload = v.InferOutput<typeof Upload>
