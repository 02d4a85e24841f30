import type { ImportedBranch } from '../../../src/contract/imports.ts'
import { takenLoginNames } from '../../db/accounts/accounts.ts'
import { takenCodes } from '../../db/branches/branches.ts'
import type { Database } from '../../db/engine/Database.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { type Refusals, type Row } from './Batch.ts'
import { refuseDuplicates } from './claimedOnce.ts'
import { openMasters } from './openMasters.ts'

const codeOf = ({ code }: ImportedBranch) => code
const emailOf = ({ email }: ImportedBranch) => email

/** What is against these branches as things stand now. Throws Refusal FORBIDDEN like `lockChosenMaster`. */
export async function branchRefusals(
  database: Database,
  actor: Actor,
  rows: readonly Row<ImportedBranch>[],
): Promise<Refusals> {
  const records = rows.map(({ record }) => record)
  const codes = await takenCodes(database.db, actor.scope, records.map(codeOf))
  const emails = await takenLoginNames(database, 'merchant', records.map(emailOf))
  const masters = await openMasters(database.db, actor, rows)
  const uniques = [
    { path: 'code', valueOf: codeOf, taken: codes },
    { path: 'email', valueOf: emailOf, taken: emails },
  ]
  return refuseDuplicates(rows, uniques, masters.against)
}
