import { createHmac } from 'node:crypto'
import type { FieldIssue } from '../../../src/contract/envelope.ts'
import type { ImportAnswer, ImportedBranch, ImportedPosUser } from '../../../src/contract/imports.ts'
import { temporaryPassword } from '../../../src/domain/accounts/passwords.ts'
import { takenLoginNames } from '../../db/accounts/accounts.ts'
import { branchesByCode, takenCodes } from '../../db/branches/branches.ts'
import { lockOpenMasters } from '../../db/masters.ts'
import { posUsersNamed } from '../../db/posUsers.ts'
import { THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import { derivedKey } from '../../secrets/secrets.ts'
import { verifyPassword } from '../accounts/passwords/passwordHash.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { createBranch } from '../branches/branches.ts'
import { noMaster } from '../branches/branchForm.ts'
import { addPosUser } from '../pos-users/posUsers.ts'
import { takenRefusal, UNIQUE_BRANCH_CODE, UNIQUE_EMAIL, UNIQUE_USERNAME, type Unique } from '../recordConflicts.ts'
import { Refusal } from '../Refusal.ts'
import { refuseBeyond } from '../throttles.ts'

/** Those rows of a file that one request contains. */
interface ImportBatch<R> {
  /** True to answer what would happen, and change nothing. */
  dry_run: boolean
  rows: { number: number; record: R }[]
}

type RowAnswer = ImportAnswer extends infer One ? (One extends unknown ? Omit<One, 'number'> : never) : never

interface RecordKind<R> {
  /** Returns for each record, in the same order, whether it exists already or what is wrong with it now. */
  judge(records: R[]): Promise<RowAnswer[]>
  /** Creates one record. Throws the same Refusal as a create outside an import. */
  create(record: R): Promise<RowAnswer>
}

/**
 * Checks the rows of a batch, then creates their records one after the other, each in its own transaction. A row whose record exists already gets the
 * answer `existing`, so that a batch can be sent again after a lost answer (decision 0037). Throws Refusal TOO_MANY_ATTEMPTS, and FORBIDDEN for a
 * master that was deactivated meanwhile.
 */
async function importRows<R>(
  { database, clock }: Deps,
  { userId }: Actor,
  { dry_run, rows }: ImportBatch<R>,
  kind: RecordKind<R>,
) {
  await refuseBeyond(database.db, THROTTLES.importBatch, userId, clock.now())
  const judged = await kind.judge(rows.map(({ record }) => record))
  const answers: ImportAnswer[] = []
  for (const [index, { number, record }] of rows.entries()) {
    const found = judged[index]!
    const answer = dry_run || found.outcome !== 'ok' ? found : await createOrJudge(kind, record)
    answers.push({ number, ...answer })
  }
  return answers
}

/** Creates a record. Checks the row again when another request has taken its name or code meanwhile: a second tab may have sent the same row. */
async function createOrJudge<R>(kind: RecordKind<R>, record: R): Promise<RowAnswer> {
  try {
    return await kind.create(record)
  } catch (error) {
    if (!(error instanceof Refusal) || !error.fields) throw error
    const [judgedAgain] = await kind.judge([record])
    return judgedAgain!.outcome === 'ok' ? { outcome: 'refused', fields: error.fields } : judgedAgain!
  }
}

const takenFields = (unique: Unique): FieldIssue[] => takenRefusal(unique).fields!

const answerFor = (fields: FieldIssue[]): RowAnswer =>
  fields.length > 0 ? { outcome: 'refused', fields } : { outcome: 'ok' }

/** Imports branches, each with its login and its invitation. A branch with the same code and the same login counts as existing. */
export const importBranches = (deps: Deps, actor: Actor, batch: ImportBatch<ImportedBranch>): Promise<ImportAnswer[]> =>
  importRows(deps, actor, batch, {
    async judge(records) {
      const { db } = deps.database
      const codes = records.map(({ code }) => code)
      const emails = records.flatMap(({ email }) => email ?? [])
      // Reads the taken codes and emails first, so that a branch which another tab creates meanwhile is found as existing, and not refused.
      const codesTaken = await takenCodes(db, actor.scope, codes)
      const emailsTaken = await takenLoginNames(deps.database, 'merchant', emails)
      const mine = await branchesByCode(db, actor.scope, codes)
      const named = records.flatMap(({ master_guid }) => master_guid ?? [])
      // A master can give branches only to itself.
      const isMaster = actor.type === 'Additional Merchant'
      const masters = isMaster ? new Set([actor.userId]) : await lockOpenMasters(db, actor.scope, named)
      return records.map(({ code, email, master_guid }) => {
        const branch = mine.get(code)
        if (branch && branch.email === email) return { outcome: 'existing', guid: branch.id }
        return answerFor([
          ...(codesTaken.has(code) ? takenFields(UNIQUE_BRANCH_CODE) : []),
          ...(email !== null && emailsTaken.has(email) ? takenFields(UNIQUE_EMAIL) : []),
          ...(master_guid === null || masters.has(master_guid) ? [] : [noMaster]),
        ])
      })
    },
    create: async (record) => ({ outcome: 'created', guid: (await createBranch(deps, actor, record)).guid }),
  })

const NO_BRANCH: FieldIssue = {
  path: 'branch_code',
  rule: 'branch',
  message: 'is not the code of one of your branches',
}

/** Imports POS users, each with a temporary password. A user of the same name in the same branch counts as existing. */
export async function importPosUsers(
  deps: Deps,
  actor: Actor,
  batch: ImportBatch<ImportedPosUser>,
): Promise<ImportAnswer[]> {
  const { db } = deps.database
  const codes = batch.rows.flatMap(({ record }) => record.branch_code ?? [])
  const branches = await branchesByCode(db, actor.scope, codes)
  const ownBranchId = actor.type === 'Branch Merchant' ? actor.branch?.id : undefined
  const branchOf = ({ branch_code }: ImportedPosUser) =>
    branch_code === null ? ownBranchId : branches.get(branch_code)?.id
  return importRows(deps, actor, batch, {
    async judge(records) {
      const names = records.map(({ username }) => username)
      // Reads the taken names first, for the same reason as with branches.
      const namesTaken = await takenLoginNames(deps.database, 'pos', names)
      const mine = await posUsersNamed(db, actor.scope, names)
      const answers: RowAnswer[] = []
      // Checks one hash after the other, so that a login never waits for more than one.
      for (const record of records) {
        const [user, branchId] = [mine.get(record.username), branchOf(record)]
        if (user && user.branchId === branchId) {
          const found = { outcome: 'existing', guid: user.id } as const
          answers.push(
            batch.dry_run ? found : { ...found, temporary_password: await unchangedPassword(deps, actor, user) },
          )
          continue
        }
        const nameIssues = namesTaken.has(record.username) ? takenFields(UNIQUE_USERNAME) : []
        answers.push(answerFor([...nameIssues, ...(branchId === undefined ? [NO_BRANCH] : [])]))
      }
      return answers
    },
    async create(record) {
      const passwordOf = (id: string) => importPassword(deps, actor, id)
      const { guid } = await addPosUser(deps, actor, {
        branchId: branchOf(record)!,
        username: record.username,
        passwordOf,
      })
      return { outcome: 'created', guid, temporary_password: passwordOf(guid) }
    },
  })
}

/**
 * Returns the temporary password of a POS user that this actor imports. It is derived and not stored, so that the same actor can get it again after a
 * lost answer, while it is still the password.
 */
function importPassword({ secrets }: Deps, { userId }: Actor, id: string): string {
  const key = derivedKey(secrets, 'merchant-portal/import-password/v1')
  let drawn = 0
  return temporaryPassword((limit) => {
    const bytes = createHmac('sha256', key).update(`${userId} ${id} ${drawn++}`).digest()
    return bytes.readUIntBE(0, 6) % limit
  })
}

/** Returns the temporary password again; `null` when the password was changed or reset meanwhile, or comes from another actor's import. */
async function unchangedPassword(
  deps: Deps,
  actor: Actor,
  { id, passwordHash }: { id: string; passwordHash: string | null },
) {
  const password = importPassword(deps, actor, id)
  return passwordHash !== null && (await verifyPassword(deps, passwordHash, password)) ? password : null
}
