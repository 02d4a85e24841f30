import { randomInt } from 'node:crypto'
import { v7 as uuidv7 } from 'uuid'
import type { ImportedPosRow, ImportedPosUser } from '../../../src/contract/imports.ts'
import { temporaryPassword } from '../../../src/domain/accounts/passwords.ts'
import { insertAccounts } from '../../db/accounts/accounts.ts'
import type { Db } from '../../db/engine/Database.ts'
import {
  claimRows,
  importedRows,
  lockUntouchedUsers,
  renewPasswords,
  unclaimRows,
  type Import,
} from '../../db/imports.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import {
  countBatch,
  hashBatch,
  importOf,
  inBatchOrder,
  noteImport,
  numbersOf,
  refusedRows,
  takenIssue,
  type Batch,
  type Refusals,
  type Row,
} from './Batch.ts'
import { posRefusals } from './checkImport.ts'

interface NewPosUser extends Row<ImportedPosUser> {
  id: string
  branchId: string
  password: string
  passwordHash: string
}

/**
 * Creates the POS users of some rows of a file, with temporary passwords that are answered once. For a row that this import
 * created before there is a fresh one, as long as nobody has used or changed the last: its answer may have been lost. Throws
 * Refusal TOO_MANY_ATTEMPTS.
 */
export async function importPosUsers(
  deps: Deps,
  actor: Actor,
  batch: Batch<ImportedPosUser>,
): Promise<ImportedPosRow[]> {
  await countBatch(deps, actor)
  const { db } = deps.database
  const batchImport = importOf(actor, 'pos user', batch)
  const before = await importedRows(db, batchImport, numbersOf(batch.rows))
  const open = batch.rows.filter(({ number }) => !before.has(number))
  const { refusals, branchOf } = await posRefusals(deps.database, actor, open)
  const free = open.filter(({ number }) => !refusals.has(number))
  const rows = await withPasswords(
    free.map(({ number, record }) => ({ number, record, id: uuidv7(), branchId: branchOf(record) })),
  )
  const { created, missed } = await createAll(deps, actor, batchImport, rows, refusals)
  // Who took rows at the same moment, in another tab, has them by now.
  const existing = missed.length === 0 ? before : new Map([...before, ...(await importedRows(db, batchImport, missed))])
  const fresh = await freshPasswords(deps, actor, batchImport, [...existing.keys()])
  return inBatchOrder(batch, [
    ...created.map(({ number, id, password }) => answer(number, 'created', id, password)),
    ...[...existing].map(([number, id]) => answer(number, 'existing', id, fresh.get(number) ?? null)),
    ...refusedRows(refusals),
  ])
}

const answer = (number: number, outcome: 'created' | 'existing', guid: string, temporary_password: string | null) => ({
  number,
  outcome,
  guid,
  temporary_password,
})

async function withPasswords<R extends object>(rows: R[]): Promise<(R & { password: string; passwordHash: string })[]> {
  const passwords = rows.map(() => temporaryPassword(randomInt))
  const hashes = await hashBatch(passwords)
  return rows.map((row, index) => Object.assign(row, { password: passwords[index]!, passwordHash: hashes[index]! }))
}

/** What the unique index refuses joins `refusals`. */
async function createAll(deps: Deps, actor: Actor, batchImport: Import, rows: NewPosUser[], refusals: Refusals) {
  if (rows.length === 0) return { created: [], missed: [] }
  const now = deps.clock.now()
  return deps.database.db.transaction(async (tx: Db) => {
    const claims = rows.map(({ number, id }) => ({ number, recordId: id }))
    const claimed = await claimRows(tx, batchImport, claims, now)
    const mine = rows.filter(({ number }) => claimed.has(number))
    const accounts = mine.map((row) => accountColumns(actor, row, now))
    const made = await insertAccounts(tx, 'pos', accounts)
    const failed = mine.filter(({ id }) => !made.has(id))
    for (const { number } of failed) refusals.set(number, [takenIssue('username')])
    await unclaimRows(tx, batchImport, numbersOf(failed))
    const created = mine.filter(({ id }) => made.has(id))
    const named = created.map(({ id, record, branchId }) => ({ id, name: record.username, branchId }))
    await noteImport(tx, actor, batchImport, named, now)
    return { created, missed: numbersOf(rows).filter((number) => !claimed.has(number)) }
  })
}

const accountColumns = ({ scope }: Actor, { id, branchId, record, passwordHash }: NewPosUser, now: Date) =>
  ({
    id,
    organisationId: scope.organisationId,
    branchId,
    type: 'POS User',
    status: 'Active',
    loginName: record.username,
    passwordHash,
    passwordChangedAt: now,
    mustChangePassword: true,
    createdAt: now,
  }) as const

/** Other temporary passwords, by row, for POS users that an import made and whose first one nobody used or changed yet. */
async function freshPasswords(
  { database, clock }: Deps,
  { scope }: Actor,
  batchImport: Import,
  numbers: number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map()
  const passwords = new Map(numbers.map((number) => [number, temporaryPassword(randomInt)]))
  const hashes = await hashBatch([...passwords.values()])
  const hashOf = new Map(numbers.map((number, index) => [number, hashes[index]!]))
  return database.db.transaction(async (tx: Db) => {
    const untouched = await lockUntouchedUsers(tx, scope, batchImport, numbers)
    const renewed = untouched.map((row) => ({ ...row, passwordHash: hashOf.get(row.number)! }))
    await renewPasswords(tx, batchImport, renewed, clock.now())
    return new Map(untouched.map(({ number }) => [number, passwords.get(number)!]))
  })
}
