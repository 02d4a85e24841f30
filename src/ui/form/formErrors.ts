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

/** Splits a failure into messages at fields of this form and a notice for the rest. If every message has a field, there is no notice. */
export function placeFailure(
  failure: FormFailure,
  names: readonly string[],
): { errors: ErrorsByPath; notice?: string } {
  const errors: Record<string, string> = {}
  const unplaced = failure.fields?.filter(({ path }) => !names.includes(path)) ?? []
  for (const { path, message } of failure.fields ?? []) if (names.includes(path)) errors[path] ??= message
  const isAllPlaced = Object.keys(errors).length > 0 && unplaced.length === 0
  if (isAllPlaced) return { errors }
  const details = unplaced.map(({ path, message }) => `${path}: ${message}`)
  return { errors, notice: [failure.message, ...details].join(' ') }
}

/** Returns the errors to show: those of fields that were left or submitted, and the server's. */
export function visibleErrors(
  found: ErrorsByPath,
  shown: ReadonlySet<string>,
  serverErrors: ErrorsByPath,
): ErrorsByPath {
  const shownErrors = Object.entries(found).filter(([path]) => shown.has(path))
  return { ...Object.fromEntries(shownErrors), ...serverErrors }
}

/** Removes changed fields that are valid now, so that their error does not come back during typing. */
export function dropCorrected(shown: ReadonlySet<string>, found: ErrorsByPath, changed: readonly string[]) {
  return new Set([...shown].filter((path) => !changed.includes(path) || path in found))
}

export const omitErrors = (errors: ErrorsByPath, paths: readonly string[]): ErrorsByPath =>
  Object.fromEntries(Object.entries(errors).filter(([path]) => !paths.includes(path)))

/**
 * Returns a rule's message as a sentence. Some messages are fragments: "must be a number" needs the field's name before it,
 * "invalid email" only a capital. A complete sentence stays as it is.
 */
export function errorSentence(label: string, message: string): string {
  const sentence = /^(must|is|are|has) /.test(message) ? `${label} ${agreeVerb(label, message)}` : message
  const capitalised = sentence.charAt(0).toUpperCase() + sentence.slice(1)
  return /[.!?]$/.test(capitalised) ? capitalised : `${capitalised}.`
}

const PLURAL_VERBS: Readonly<Record<string, string>> = { is: 'are', has: 'have' }

/** Makes the verb agree with the noun of the label, which is before "of", "in" or "that". */
function agreeVerb(label: string, message: string): string {
  const noun = label.split(/ (?:of|in|for|to|at|with|that|taking) /)[0]!
  if (!/[a-z]s$/.test(noun) || /(ss|us|is)$/.test(noun)) return message
  return message.replace(/^(is|has)\b/, (verb) => PLURAL_VERBS[verb] ?? verb)
}

const countUnits = (count: number, unit: string) => `${count} ${unit}${count === 1 ? '' : 's'}`

/** Returns a wait in words: `42 seconds`, `2 minutes 5 seconds`, `2 minutes`. */
export function waitText(seconds: number): string {
  const minutes = Math.floor(seconds / 60)
  const rest = seconds % 60
  if (minutes === 0) return countUnits(rest, 'second')
  return rest === 0 ? countUnits(minutes, 'minute') : `${countUnits(minutes, 'minute')} ${countUnits(rest, 'second')}`
}
