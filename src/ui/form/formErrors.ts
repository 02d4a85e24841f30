import * as v from 'valibot'

/** The result of a submit that failed: an expected failure is a value, not an exception. */
export interface FormFailure {
  message: string
  fields?: readonly { path: string; message: string }[]
  /** The text fields to empty, because their value is useless now, like a wrong code. They show only the reason. */
  clears?: readonly string[]
}

/** The first message for each path, like `from` or `brands.0.name`. `''` has the issues of the form as a whole. */
export type ErrorsByPath = Readonly<Record<string, string>>

/** Checks the values against the schema, synchronously. */
export function schemaErrors(schema: v.GenericSchema, values: unknown): ErrorsByPath {
  const { issues = [] } = v.safeParse(schema, values)
  const errors: Record<string, string> = {}
  for (const issue of issues) errors[v.getDotPath(issue) ?? ''] ??= issue.message
  return errors
}

/** Splits a failure into messages at fields of this form and the rest for the notice. The message is repeated only if a part of it has no field. */
export function placeFailure(
  failure: FormFailure,
  names: readonly string[],
): { errors: ErrorsByPath; notice?: string } {
  const errors: Record<string, string> = {}
  const homeless = failure.fields?.filter(({ path }) => !names.includes(path)) ?? []
  for (const { path, message } of failure.fields ?? []) if (names.includes(path)) errors[path] ??= message
  const placed = Object.keys(errors).length > 0 && homeless.length === 0
  if (placed) return { errors }
  const details = homeless.map(({ path, message }) => `${path}: ${message}`)
  return { errors, notice: [failure.message, ...details].join(' ') }
}

/** Returns the errors to show: those of fields that were left or submitted, and the server's. */
export function visibleErrors(
  found: ErrorsByPath,
  shown: ReadonlySet<string>,
  serverErrors: ErrorsByPath,
): ErrorsByPath {
  const seen = Object.entries(found).filter(([path]) => shown.has(path))
  return { ...Object.fromEntries(seen), ...serverErrors }
}

/** Removes corrected fields until they are left again, so that no error appears during typing. */
export function stillShown(shown: ReadonlySet<string>, found: ErrorsByPath, changed: readonly string[]) {
  return new Set([...shown].filter((path) => !changed.includes(path) || path in found))
}

export const omitErrors = (errors: ErrorsByPath, paths: readonly string[]): ErrorsByPath =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => !paths.includes(path)))

/**
 * Returns a rule's message as a sentence. Some messages are fragments: "must be a number" needs the field's name before it,
 * "invalid email" only a capital. A complete sentence stays as it is.
 */
export function errorSentence(label: string, message: string): string {
  const sentence = /^(must|is|are|has) /.test(message) ? `${label} ${agreeing(label, message)}` : message
  const capital = sentence.charAt(0).toUpperCase() + sentence.slice(1)
  return /[.!?]$/.test(capital) ? capital : `${capital}.`
}

const PLURAL_VERBS: Readonly<Record<string, string>> = { is: 'are', has: 'have' }

/** Makes the verb agree with the noun of the label, which is before "of", "in" or "that". */
function agreeing(label: string, message: string): string {
  const noun = label.split(/ (?:of|in|for|to|at|with|that|taking) /)[0]!
  if (!/[a-z]s$/.test(noun) || /(ss|us|is)$/.test(noun)) return message
  return message.replace(/^(is|has)\b/, (verb) => PLURAL_VERBS[verb] ?? verb)
}

const counted = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** `42 seconds`, `2 minutes 5 seconds`, `2 minutes`. */
export function waitText(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const rest = seconds % 60
  if (minutes === 0) return counted(rest, 'second')
  return rest === 0 ? counted(minutes, 'minute') : `${counted(minutes, 'minute')} ${counted(rest, 'second')}`
}
