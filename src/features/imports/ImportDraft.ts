import * as v from 'valibot'
import { guid } from '../../contract/fieldSchemas.ts'

/** `sent`: the server was asked to create it and has not answered. It may exist already, so it is not edited but sent again. */
const ROW_STAGES = ['open', 'sent', 'created'] as const

export const ImportRow = v.object({
  /** Its place in the file, from 1. It does not change when rows are removed. */
  number: v.number(),
  cells: v.record(v.string(), v.string()),
  stage: v.picklist(ROW_STAGES),
  /** The server accepts it as it is now. */
  checked: v.boolean(),
  /** Errors of cells as they are now, found by the server or while the file was read. */
  issues: v.record(v.string(), v.string()),
  guid: v.optional(guid),
})
export type ImportRow = v.InferOutput<typeof ImportRow>

/** An import as this device stores it, until its person discards it. */
export const ImportDraft = v.object({
  /** The server knows the rows by it. */
  id: guid,
  file: v.string(),
  /** What was noticed when the file was read. */
  notes: v.pipe(v.array(v.string()), v.readonly()),
  rows: v.pipe(v.array(ImportRow), v.readonly()),
})
export type ImportDraft = v.InferOutput<typeof ImportDraft>
