import type { FieldIssue } from '../../../src/contract/envelope.ts'
import type { ImportedPosUser } from '../../../src/contract/imports.ts'
import { takenLoginNames } from '../../db/accounts/accounts.ts'
import { branchesByCode } from '../../db/branches/branches.ts'
import type { Database } from '../../db/engine/Database.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import type { Refusals, Row } from './Batch.ts'
import { refuseDuplicates } from './claimedOnce.ts'

interface JudgedPosUsers {
  refusals: Refusals
  /** Of a row that is not refused. */
  branchOf(record: ImportedPosUser): string
}

const NO_BRANCH: FieldIssue = {
  path: 'branch_code',
  rule: 'branch',
  message: 'is not the code of one of your branches',
}

/** What is against these POS users as things stand now, and which branches they are for. */
export async function posRefusals(
  database: Database,
  actor: Actor,
  rows: readonly Row<ImportedPosUser>[],
): Promise<JudgedPosUsers> {
  const codes = new Set(rows.flatMap(({ record }) => record.branch_code ?? []))
  const branches = await branchesByCode(database.db, actor.scope, [...codes])
  const own = actor.type === 'Branch Merchant' ? actor.branch?.id : undefined
  const branchOf = ({ branch_code }: ImportedPosUser) => (branch_code === null ? own : branches.get(branch_code))
  const names = await takenLoginNames(
    database,
    'pos',
    rows.map(({ record }) => record.username),
  )
  const unique = { path: 'username', valueOf: ({ username }: ImportedPosUser) => username, taken: names }
  return {
    refusals: refuseDuplicates(rows, [unique], (record) => (branchOf(record) === undefined ? [NO_BRANCH] : [])),
    branchOf: (record) => branchOf(record)!,
  }
}
