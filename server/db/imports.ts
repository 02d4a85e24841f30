import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm'
import type { Db } from './engine/Database.ts'
import { signInChallenge } from './schema/accounts.ts'
import { importRow, type ImportKind } from './schema/imports.ts'
import { appUser } from './schema/organisations.ts'
import { within, type Scope } from './Scope.ts'

/** One file that one person imports. */
export interface Import {
  userId: string
  importId: string
  kind: ImportKind
}

const rowsOf = ({ userId, importId, kind }: Import, numbers: number[]) =>
  and(
    eq(importRow.userId, userId),
    eq(importRow.importId, importId),
    eq(importRow.kind, kind),
    inArray(importRow.rowNumber, numbers),
  )

/** What these rows have become already: the id of the record by the number of the row. */
export async function importedRows(db: Db, of: Import, numbers: number[]): Promise<Map<number, string>> {
  const found = await db
    .select({ number: importRow.rowNumber, id: importRow.recordId })
    .from(importRow)
    .where(rowsOf(of, numbers))
  return new Map(found.map(({ number, id }) => [number, id]))
}

interface Claim {
  number: number
  recordId: string
}

/**
 * Takes rows for this transaction, and returns the numbers it got: what another one takes at the same moment is waited for, and
 * then not taken a second time.
 */
export async function claimRows(
  tx: Db,
  { userId, importId, kind }: Import,
  claims: Claim[],
  now: Date,
): Promise<Set<number>> {
  const passwordSetAt = kind === 'pos user' ? now : null
  const values = claims
    .toSorted((a, b) => a.number - b.number)
    .map(({ number: rowNumber, recordId }) => ({
      userId,
      importId,
      kind,
      rowNumber,
      recordId,
      importedAt: now,
      passwordSetAt,
    }))
  if (values.length === 0) return new Set()
  const made = await tx
    .insert(importRow)
    .values(values)
    .onConflictDoNothing()
    .returning({ number: importRow.rowNumber })
  return new Set(made.map(({ number }) => number))
}

/** Gives back rows that came to nothing. */
export async function unclaimRows(tx: Db, of: Import, numbers: number[]): Promise<void> {
  if (numbers.length > 0) await tx.delete(importRow).where(rowsOf(of, numbers))
}

/**
 * POS users of these rows whose password is still the one this import made up, with nobody on the way in by it. Their rows are
 * held until the transaction ends.
 */
export async function lockUntouchedUsers(tx: Db, scope: Scope, of: Import, numbers: number[]): Promise<Claim[]> {
  const challenges = tx
    .select({ id: signInChallenge.userId })
    .from(signInChallenge)
    .where(eq(signInChallenge.userId, appUser.id))
  return tx
    .select({ number: importRow.rowNumber, recordId: appUser.id })
    .from(importRow)
    .innerJoin(appUser, eq(appUser.id, importRow.recordId))
    .where(
      and(
        rowsOf(of, numbers),
        within(scope, appUser.organisationId, appUser.branchId),
        eq(appUser.passwordChangedAt, importRow.passwordSetAt),
        eq(appUser.mustChangePassword, true),
        isNull(appUser.lastSignInAt),
        sql`NOT EXISTS (${challenges})`,
      ),
    )
    .orderBy(asc(importRow.rowNumber))
    .for('no key update')
}

/** Gives the users of these rows other passwords; all of them are held by this transaction. */
export async function renewPasswords(
  tx: Db,
  of: Import,
  renewed: (Claim & { passwordHash: string })[],
  now: Date,
): Promise<void> {
  if (renewed.length === 0) return
  const pairs = renewed.map(({ recordId, passwordHash }) => sql`(${recordId}::uuid, ${passwordHash}::text)`)
  const at = sql`${now.toISOString()}::timestamptz`
  await tx.execute(
    sql`UPDATE ${appUser} SET password_hash = fresh.hash, password_changed_at = ${at} FROM (VALUES ${sql.join(pairs, sql`, `)}) AS fresh (id, hash) WHERE ${appUser.id} = fresh.id`,
  )
  const numbers = renewed.map(({ number }) => number)
  await tx.update(importRow).set({ passwordSetAt: now }).where(rowsOf(of, numbers))
}
