import * as v from 'valibot'
import type { JudgedCells, Notes } from './ImportKind.ts'

/** The contract's own rules over one row; the first complaint about a field is the one that is shown. */
export function judgeBySchema<S extends v.GenericSchema>(
  schema: S,
  body: unknown,
  warnings: Notes,
): JudgedCells<v.InferOutput<S>> {
  const parsed = v.safeParse(schema, body)
  if (parsed.success) return { record: parsed.output, errors: {}, warnings }
  const errors: Record<string, string> = {}
  for (const issue of parsed.issues) errors[v.getDotPath(issue) ?? ''] ??= issue.message
  return { record: undefined, errors, warnings }
}
