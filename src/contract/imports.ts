import * as v from 'valibot'
import { adhocBranches, areDaysInOrder, branchCode, branches, DAYS_OUT_OF_ORDER } from './branches.ts'
import { endpoint } from './endpoint.ts'
import { FieldIssue } from './envelope.ts'
import { guid, username } from './fieldSchemas.ts'
import { LIMITS } from './limits.ts'
import { listOf } from './wireFields.ts'

/** The number of a row in its file; the header is row 1. Answers name the row by this number. */
const number = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(LIMITS.importRows + 1))

/** A branch with the fields of the form for a permanent or an adhoc branch. */
export const ImportedBranch = v.variant('kind', [
  v.strictObject({ kind: v.literal('permanent'), ...branches.create.body.entries }),
  v.pipe(
    v.strictObject({ kind: v.literal('adhoc'), ...adhocBranches.create.body.entries }),
    v.forward(v.partialCheck([['from_day'], ['to_day']], areDaysInOrder, DAYS_OUT_OF_ORDER), ['to_day']),
  ),
])
export type ImportedBranch = v.InferOutput<typeof ImportedBranch>

/** A POS user without a password: the server makes one up. `null` means the branch of the Branch Merchant who imports. */
export const ImportedPosUser = v.strictObject({ username, branch_code: v.nullable(branchCode) })
export type ImportedPosUser = v.InferOutput<typeof ImportedPosUser>

const hasEachRowOnce = (rows: readonly { number: number }[]) =>
  new Set(rows.map((row) => row.number)).size === rows.length

/**
 * The body of an import, with at most LIMITS.importBatch rows. `dry_run` only says what would happen; a name that is `ok` in a dry run may be taken
 * before the import.
 */
const batchOf = <R extends v.GenericSchema<unknown, { number: number }>>(row: R) =>
  v.strictObject({
    dry_run: v.boolean(),
    rows: v.pipe(
      listOf(row, LIMITS.importBatch, `must have at most ${LIMITS.importBatch} rows`),
      v.minLength(1, 'must have a row'),
      v.check<v.InferOutput<R>[], string>(hasEachRowOnce, 'must have each row once'),
    ),
  })

/**
 * `existing`: the record exists already, perhaps because an earlier answer was lost. `temporary_password` of a POS user is `null` once the password
 * of this import was replaced; a dry run leaves it out.
 */
const ImportAnswer = v.variant('outcome', [
  v.object({ number, outcome: v.literal('ok') }),
  v.object({
    number,
    outcome: v.picklist(['created', 'existing']),
    guid,
    temporary_password: v.optional(v.nullable(v.string())),
  }),
  v.object({ number, outcome: v.literal('refused'), fields: v.array(FieldIssue) }),
])
export type ImportAnswer = v.InferOutput<typeof ImportAnswer>

const shared = {
  method: 'POST',
  answer: v.object({ rows: v.array(ImportAnswer) }),
  size: 'batch',
  errors: ['TOO_MANY_ATTEMPTS'],
  slow: true,
} as const
export const importBranches = endpoint({
  ...shared,
  path: '/branch/import',
  access: { feature: 'branches', action: 'create' },
  summary: 'Create the branches of a file, or say what would happen; a repeat creates nothing twice',
  body: batchOf(v.strictObject({ number, record: ImportedBranch })),
})
export const importPosUsers = endpoint({
  ...shared,
  path: '/pos/import',
  access: { feature: 'pos', action: 'create' },
  summary: 'Create the POS users of a file with temporary passwords, or say what would happen; repeats add nothing',
  body: batchOf(v.strictObject({ number, record: ImportedPosUser })),
})
