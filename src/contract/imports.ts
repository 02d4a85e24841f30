import * as v from 'valibot'
import { adhocBranches, areDaysInOrder, branchCode, branches, DAYS_OUT_OF_ORDER } from './branches.ts'
import { endpoint } from './endpoint.ts'
import { FieldIssue } from './envelope.ts'
import { guid, username } from './fieldSchemas.ts'
import { LIMITS } from './limits.ts'
import { listOf } from './wireFields.ts'

/** The place of a row in its file, counted from 1: what an answer and a repeat are about. */
const number = v.pipe(v.number(), v.safeInteger(), v.minValue(1), v.maxValue(LIMITS.importRows))

/** A branch as the forms of a permanent and of an adhoc one take it. */
export const ImportedBranch = v.variant('kind', [
  v.strictObject({ kind: v.literal('permanent'), ...branches.create.body.entries }),
  v.pipe(
    v.strictObject({ kind: v.literal('adhoc'), ...adhocBranches.create.body.entries }),
    v.forward(v.partialCheck([['from_day'], ['to_day']], areDaysInOrder, DAYS_OUT_OF_ORDER), ['to_day']),
  ),
])
export type ImportedBranch = v.InferOutput<typeof ImportedBranch>

/** A POS user without a password: the server makes one up. `null` is the branch of the Branch Merchant that asks. */
export const ImportedPosUser = v.strictObject({ username, branch_code: v.nullable(branchCode) })
export type ImportedPosUser = v.InferOutput<typeof ImportedPosUser>

const isEachOnce = (rows: readonly { number: number }[]) => new Set(rows.map((row) => row.number)).size === rows.length

/** At most LIMITS.importBatch rows of one import, whose id its browser made. */
const batchOf = <R extends v.GenericSchema<unknown, { number: number }>>(row: R) =>
  v.strictObject({
    import_id: guid,
    rows: v.pipe(
      listOf(row, LIMITS.importBatch, `must have at most ${LIMITS.importBatch} rows`),
      v.minLength(1, 'must have a row'),
      v.check<v.InferOutput<R>[], string>(isEachOnce, 'must have each row once'),
    ),
  })

const refused = v.object({ number, outcome: v.literal('refused'), fields: v.array(FieldIssue) })

/** Of a dry run: nothing was changed, and what is `ok` may be taken by somebody before the import. */
export const CheckedRow = v.variant('outcome', [
  v.object({ number, outcome: v.literal('ok') }),
  v.object({ number, outcome: v.literal('existing'), guid }),
  refused,
])
export type CheckedRow = v.InferOutput<typeof CheckedRow>

/** `existing`: an earlier request of this import created it, whatever this one says of it. */
const made = {
  number,
  outcome: v.picklist(['created', 'existing']),
  guid,
}
export const ImportedRow = v.variant('outcome', [v.object(made), refused])
export type ImportedRow = v.InferOutput<typeof ImportedRow>

/** The password is told once; `null` for an earlier user whose password is not the one of this import any more. */
export const ImportedPosRow = v.variant('outcome', [
  v.object({ ...made, temporary_password: v.nullable(v.string()) }),
  refused,
])
export type ImportedPosRow = v.InferOutput<typeof ImportedPosRow>

const rowsOf = <R extends v.GenericSchema>(row: R) => v.object({ rows: v.array(row) })

const toBranches = {
  base: 'api',
  method: 'POST',
  access: { feature: 'branches', action: 'create' },
  body: batchOf(v.strictObject({ number, record: ImportedBranch })),
  size: 'batch',
  errors: ['TOO_MANY_ATTEMPTS'],
} as const
export const checkBranches = endpoint({
  ...toBranches,
  path: '/branch/import/check',
  summary: 'What an import of these branches would do, row by row; changes nothing',
  answer: rowsOf(CheckedRow),
})
export const importBranches = endpoint({
  ...toBranches,
  path: '/branch/import',
  summary: 'Create the branches of a file; a repeat creates nothing twice',
  answer: rowsOf(ImportedRow),
  slow: true,
})

const toPosUsers = {
  base: 'api',
  method: 'POST',
  access: { feature: 'pos', action: 'create' },
  body: batchOf(v.strictObject({ number, record: ImportedPosUser })),
  size: 'batch',
  errors: ['TOO_MANY_ATTEMPTS'],
} as const
export const checkPosUsers = endpoint({
  ...toPosUsers,
  path: '/pos/import/check',
  summary: 'What an import of these POS users would do, row by row; changes nothing',
  answer: rowsOf(CheckedRow),
})
export const importPosUsers = endpoint({
  ...toPosUsers,
  path: '/pos/import',
  summary: 'Create the POS users of a file with temporary passwords; a repeat creates nothing twice',
  answer: rowsOf(ImportedPosRow),
  slow: true,
})
