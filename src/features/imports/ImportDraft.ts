import * as v from 'valibot'
import { guid } from '../../contract/fieldSchemas.ts'

/**
 * `sent`: asked to be created, and not answered yet. Such a row may exist already, so it is not edited; asking again tells.
 */
const ROW_STAGES = ['open', 'sent', 'created'] as const

export const ImportRow = v.object({
  /** Its place in the file, from 1, which it keeps. */
  number: v.number(),
  cells: v.record(v.string(), v.string()),
  stage: v.picklist(ROW_STAGES),
  /** The server has nothing against it as it is now. */
  checked: v.boolean(),
  /** What the server, or the reading of the file, has against cells as they are now. */
  issues: v.record(v.string(), v.string()),
  guid: v.optional(guid),
})
export type ImportRow = v.InferOutput<typeof ImportRow>

/** An import as this device keeps it, until its person discards it. */
export const ImportDraft = v.object({
  /** Under which the server knows its rows. */
  id: guid,
  file: v.string(),
  /** What was noticed when the file was read. */
  notes: v.array(v.string()),
  rows: v.array(ImportRow),
})
export type ImportDraft = v.InferOutput<typeof ImportDraft>
