import type { FieldIssue } from '../../../src/contract/envelope.ts'
import type { CheckedRow, ImportedBranch, ImportedPosUser } from '../../../src/contract/imports.ts'
import { takenLoginNames } from '../../db/accounts/accounts.ts'
import { branchesByCode, takenCodes } from '../../db/branches/branches.ts'
import type { Database, Db } from '../../db/engine/Database.ts'
import { importedRows } from '../../db/imports.ts'
import { lockOpenMasters } from '../../db/masters.ts'
import type { ImportKind } from '../../db/schema/imports.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { lockChosenMaster, noMaster } from '../branches/branchForm.ts'
import { countBatch, importOf, numbersOf, takenIssue, type Batch, type Refusals, type Row } from './Batch.ts'

/** What `importBranches` would answer now. Throws the same. */
export const checkBranches = (deps: Deps, actor: Actor, batch: Batch<ImportedBranch>): Promise<CheckedRow[]> =>
  checkBatch(deps, actor, 'branch', batch, (rows) => branchRefusals(deps.database, actor, rows))

/** What `importPosUsers` would answer now. Throws the same. */
export const checkPosUsers = (deps: Deps, actor: Actor, batch: Batch<ImportedPosUser>): Promise<CheckedRow[]> =>
  checkBatch(deps, actor, 'pos user', batch, async (rows) => (await posRefusals(deps.database, actor, rows)).refusals)

async function checkBatch<R>(
  deps: Deps,
  actor: Actor,
  kind: ImportKind,
  batch: Batch<R>,
  judge: (rows: Row<R>[]) => Promise<Refusals>,
): Promise<CheckedRow[]> {
  await countBatch(deps, actor)
  const existing = await importedRows(deps.database.db, importOf(actor, kind, batch), numbersOf(batch.rows))
  const open = batch.rows.filter(({ number }) => !existing.has(number))
  const refusals = open.length === 0 ? new Map() : await judge(open)
  return batch.rows.map(({ number }) => {
    const guid = existing.get(number)
    if (guid !== undefined) return { number, outcome: 'existing', guid }
    const fields = refusals.get(number)
    return fields ? { number, outcome: 'refused', fields } : { number, outcome: 'ok' }
  })
}

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

/** A field of which no two records may have the same. */
interface UniqueField<R> {
  path: string
  valueOf: (record: R) => string
  /** Values that somebody has already. */
  taken: ReadonlySet<string>
}

/**
 * What is against these rows: what `refuse` says, values that somebody has, and those that an earlier row of the batch has. A row
 * that is refused takes nothing from the rows below it.
 */
function refuseDuplicates<R>(
  rows: readonly Row<R>[],
  uniques: readonly UniqueField<R>[],
  refuse: (record: R) => FieldIssue[],
): Refusals {
  const refusals: Refusals = new Map()
  const claimed = uniques.map((unique) => new Set(unique.taken))
  for (const { number, record } of rows) {
    const isTaken = (unique: UniqueField<R>, index: number) => claimed[index]!.has(unique.valueOf(record))
    const fields = [...uniques.filter(isTaken).map(({ path }) => takenIssue(path)), ...refuse(record)]
    if (fields.length > 0) refusals.set(number, fields)
    else uniques.forEach(({ valueOf }, index) => claimed[index]!.add(valueOf(record)))
  }
  return refusals
}

/** Who is to manage a branch that an actor imports, by the rule of `lockChosenMaster` for many at once. */
interface OpenMasters {
  of(record: Pick<ImportedBranch, 'master_guid'>): string | null
  against(record: Pick<ImportedBranch, 'master_guid'>): FieldIssue[]
}

/** The masters that these rows name stay open until the transaction ends. Throws Refusal FORBIDDEN like `lockChosenMaster`. */
export async function openMasters(tx: Db, actor: Actor, rows: readonly Row<ImportedBranch>[]): Promise<OpenMasters> {
  const own = actor.type === 'Additional Merchant' ? await lockChosenMaster(tx, actor, null) : null
  const named = new Set(rows.flatMap(({ record }) => record.master_guid ?? []))
  const open = own === null ? await lockOpenMasters(tx, actor.scope, [...named]) : new Set([own])
  return {
    of: ({ master_guid }) => own ?? master_guid,
    against: ({ master_guid }) => (master_guid === null || open.has(master_guid) ? [] : [noMaster]),
  }
}
