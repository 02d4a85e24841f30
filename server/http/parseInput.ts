import * as v from 'valibot'
import type { Endpoint } from '../../src/contract/endpoint.ts'
import { ERROR_STATUS, type ErrorCode, type FieldIssue } from '../../src/contract/envelope.ts'
import { MESSAGES } from '../../src/contract/wireFields.ts'
import { Refusal } from '../services/Refusal.ts'

/** The most faults in an answer: more than a person reads. Each needs a hundred bytes (TBL-08). */
const MOST_ISSUES = 50

/** The longest path in an answer, in characters: twice that of any known field. The client chooses the name of an unknown field. */
const LONGEST_PATH = 120

/**
 * Checks `input` by `schema`. Throws Refusal with the code of a check made by `withErrorCode` when nothing else is wrong, otherwise
 * VALIDATION_FAILED; the fields give path, rule and message, never the value. Only the first fault of a value is reported: no pattern is tried on
 * a text that is too long.
 */
export function parseInput<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const parsed = v.safeParse(schema, input, { abortPipeEarly: true })
  if (parsed.success) return parsed.output
  const codes = new Set(parsed.issues.map(codeOf))
  const [only = 'VALIDATION_FAILED'] = codes
  throw new Refusal(codes.size === 1 ? only : 'VALIDATION_FAILED', {
    fields: parsed.issues.slice(0, MOST_ISSUES).map(fieldOf),
  })
}

function codeOf({ requirement }: v.BaseIssue<unknown>): ErrorCode {
  const code = typeof requirement === 'function' && 'code' in requirement ? requirement.code : undefined
  return typeof code === 'string' && code in ERROR_STATUS ? (code as ErrorCode) : 'VALIDATION_FAILED'
}

/** Valibot's own messages quote the received value, so only messages set in a schema are passed on. */
const DEFAULT_MESSAGE = /^Invalid /

function fieldOf(issue: v.BaseIssue<unknown>): FieldIssue {
  const rule = ruleOf(issue)
  const message = DEFAULT_MESSAGE.test(issue.message) ? (ISSUE_MESSAGES[rule] ?? 'is not valid') : issue.message
  return { path: (v.getDotPath(issue) ?? '').slice(0, LONGEST_PATH), rule, message }
}

function ruleOf(issue: v.BaseIssue<unknown>): string {
  if (isUnknownField(issue)) return 'unknown_field'
  return isMissing(issue) ? 'required' : issue.type
}

const isUnknownField = ({ type, expected }: v.BaseIssue<unknown>) => type === 'strict_object' && expected === 'never'

const isMissing = ({ kind, input }: v.BaseIssue<unknown>) =>
  kind === 'schema' && (input === undefined || input === null)

const ISSUE_MESSAGES: Record<string, string> = {
  unknown_field: 'is not a known field',
  required: MESSAGES.required,
  max_value: 'is too large',
  min_value: 'is too small',
  max_length: 'is too long',
  number: 'must be a number',
  safe_integer: 'must be a whole number',
}

type HeaderName = NonNullable<Endpoint['headers']>[number]

/** Reads the headers that an endpoint needs besides Authorization. Throws Refusal VALIDATION_FAILED. */
export function requiredHeaders({ headers = [] }: Endpoint, read: (name: string) => string | undefined) {
  return Object.fromEntries(headers.map((name) => [name, HEADER_READERS[name](read(name))]))
}

const HEADER_READERS: Record<HeaderName, (value: string | undefined) => string> = {
  // Rule 12.7: the reporting service knows one login type.
  'login-type': (value) => parseInput(LoginType, { 'login-type': value ?? '' })['login-type'],
}

const LoginType = v.object({ 'login-type': v.literal('MERCHANT', 'must be MERCHANT') })
