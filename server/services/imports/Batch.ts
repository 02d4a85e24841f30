import pLimit from 'p-limit'
import type { ActivityAction, ActivitySubject } from '../../../src/contract/activity/activityActions.ts'
import type { FieldIssue } from '../../../src/contract/envelope.ts'
import { pluralize } from '../../../src/domain/quantities.ts'
import { noteActivities } from '../../db/activity/activity.ts'
import type { Db } from '../../db/engine/Database.ts'
import type { Import } from '../../db/imports.ts'
import type { ImportKind } from '../../db/schema/imports.ts'
import { THROTTLES } from '../../db/throttles.ts'
import type { Deps } from '../../Deps.ts'
import { hashPassword } from '../accounts/passwords/passwordHash.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { refuseBeyond } from '../accounts/sign-in/throttledAttempt.ts'

export interface Row<R> {
  /** In its file. */
  number: number
  record: R
}

/** Some rows of one file: what one request brings. */
export interface Batch<R> {
  import_id: string
  rows: Row<R>[]
}

/** What is against a row, by its number. */
export type Refusals = Map<number, FieldIssue[]>

export const importOf = ({ userId }: Actor, kind: ImportKind, { import_id }: Batch<unknown>): Import => ({
  userId,
  importId: import_id,
  kind,
})

export const numbersOf = (rows: readonly Row<unknown>[]): number[] => rows.map(({ number }) => number)

export const takenIssue = (path: string): FieldIssue => ({ path, rule: 'unique', message: 'is taken' })

/** Answers in the order of the batch. */
export const inBatchOrder = <A extends { number: number }>({ rows }: Batch<unknown>, answers: A[]): A[] => {
  const byNumber = new Map(answers.map((answer) => [answer.number, answer]))
  return rows.flatMap(({ number }) => byNumber.get(number) ?? [])
}

export const refusedRows = (refusals: Refusals) =>
  [...refusals].map(([number, fields]) => ({ number, outcome: 'refused' as const, fields }))

/** Counts one request of an import. Throws Refusal TOO_MANY_ATTEMPTS beyond THROTTLES.importBatch. */
export const countBatch = ({ database, clock }: Deps, { userId }: Actor): Promise<void> =>
  refuseBeyond(database.db, THROTTLES.importBatch, userId, clock.now())

/** A login that comes meanwhile waits for at most two hashes of an import. */
const inTurn = pLimit(2)

/** Hashes of the PINs or passwords of a batch, which are many at once. */
export const hashBatch = (secrets: readonly string[]): Promise<string[]> =>
  Promise.all(secrets.map((secret) => inTurn(() => hashPassword(secret))))

interface Kind {
  imported: ActivityAction
  created: ActivityAction
  subject: ActivitySubject
  words: [one: string, many: string]
}
const KINDS: Record<Import['kind'], Kind> = {
  branch: {
    imported: 'branches.imported',
    created: 'branch.created',
    subject: 'branch',
    words: ['branch', 'branches'],
  },
  'pos user': {
    imported: 'pos_users.imported',
    created: 'pos_user.created',
    subject: 'pos_user',
    words: ['POS user', 'POS users'],
  },
}

/** Writes down that a batch of an import created something, and for each record where it came from, in one statement. */
export async function noteImport(
  tx: Db,
  actor: Actor,
  batchImport: Import,
  created: readonly { id: string; name: string; branchId: string }[],
  now: Date,
): Promise<void> {
  if (created.length === 0) return
  const { organisationId } = actor.scope
  const { imported, created: made, subject, words } = KINDS[batchImport.kind]
  const batch = { type: 'import' as const, id: batchImport.importId, name: pluralize(created.length, ...words) }
  const rows = created.map(({ id, name, branchId }) => ({
    organisationId,
    action: made,
    subject: { type: subject, id, name },
    branchId,
    details: { how: 'import' },
  }))
  const whole = { organisationId, action: imported, subject: batch, details: { created: created.length } }
  await noteActivities(tx, actor, [whole, ...rows], now)
}
