import { isDeepStrictEqual } from 'node:util'

/** A field in words, with what it was and what it is. What is not there and `null` are the same. */
type Compared = [words: string, before: unknown, after: unknown]

/** The words of the fields that differ, as the activity log names them: never their values. `undefined` when none does. */
export function changedFields(fields: Compared[]): string | undefined {
  const changed = fields.filter(([, before, after]) => !isDeepStrictEqual(before ?? null, after ?? null))
  return changed.length === 0 ? undefined : changed.map(([words]) => words).join(', ')
}

/** The name before, where it is another one now. */
export const oldName = (before: string, after: string) => (before === after ? {} : { old_name: before })
