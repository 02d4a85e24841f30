import * as v from 'valibot'

/** A file that was uploaded, as a form and its draft store it. */
export const Upload = v.object({
  /** The server's name for it. */
  key: v.string(),
  /** The person's name for it. */
  filename: v.string(),
  /** Bytes. */
  size: v.number(),
  /** A small picture of an image as a data URL: the server does not give an upload back before the form is submitted. */
  preview: v.optional(v.string()),
})
export type Upload = v.InferOutput<typeof Upload>
