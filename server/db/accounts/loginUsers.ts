import { and, eq, getTableColumns, sql, type SQL } from 'drizzle-orm'
import type { PgTable } from 'drizzle-orm/pg-core'
import { NIL } from 'uuid'
import type { AccountStatus, UserType } from '../../../src/contract/accounts/permissions.ts'
import type { Db } from '../engine/Database.ts'
import { appUser, branch, organisation, type LoginKind } from '../schema/organisations.ts'
import { within, type Scope } from '../Scope.ts'

/** The parts of an account that decide about its password and login. */
export interface LoginUser {
  id: string
  type: UserType
  status: AccountStatus
  loginKind: LoginKind
  loginName: string
  /** `null`, like `passwordChangedAt`, for an invited account that is not activated yet. */
  passwordHash: string | null
  passwordChangedAt: Date | null
  mustChangePassword: boolean
  organisationId: string
  organisationName: string
  organisationStatus: AccountStatus
  /** The name that a merchant gave the account; `null` for an account that is known by its login name. */
  name: string | null
  /** The person to greet; of a main account the contact of its organisation. */
  contactName: string | null
  branchId: string | null
  branchName: string | null
  branchStatus: AccountStatus | null
}

const loginColumns = {
  id: appUser.id,
  type: appUser.type,
  status: appUser.status,
  loginKind: appUser.loginKind,
  loginName: appUser.loginName,
  passwordHash: appUser.passwordHash,
  passwordChangedAt: appUser.passwordChangedAt,
  mustChangePassword: appUser.mustChangePassword,
  organisationId: appUser.organisationId,
  organisationName: organisation.name,
  organisationStatus: organisation.status,
  name: appUser.name,
  contactName: sql<
    string | null
  >`CASE WHEN ${appUser.type} IN ('HRP Merchant', 'ADHOC Merchant') THEN ${organisation.contactName} ELSE ${appUser.contactName} END`,
  branchId: appUser.branchId,
  branchName: branch.name,
  branchStatus: branch.status,
}

async function findOne(db: Db, which: SQL | undefined): Promise<LoginUser | undefined> {
  const [user] = await db
    .select(loginColumns)
    .from(appUser)
    .innerJoin(organisation, eq(organisation.id, appUser.organisationId))
    .leftJoin(branch, eq(branch.id, appUser.branchId))
    .where(which)
  return user
}

/** Finds the account of a login name. Names belong to no tenant, so this read has no scope. */
export const findLoginUser = (db: Db, kind: LoginKind, loginName: string) =>
  findOne(db, and(eq(appUser.loginKind, kind), eq(appUser.loginName, loginName)))

/** Finds an account without a scope. The caller has its id from a session, from a mailed link, or from a read within a scope. */
export const findOwnUser = (db: Db, id: string) => findOne(db, eq(appUser.id, id))

/** Finds an account of the scope. Returns `undefined` for one that does not exist or is not in the scope: the caller cannot tell which. */
export const findUser = (db: Db, scope: Scope, id: string) =>
  findOne(db, and(within(scope, appUser.organisationId, appUser.branchId), eq(appUser.id, id)))

/**
 * Locks the user row until the transaction ends, so that logins, new passwords and deactivations of one user run one after the other. Returns its
 * current password hash, or `undefined` for a user that does not exist.
 */
export async function lockUser(tx: Db, userId: string): Promise<string | null | undefined> {
  const [user] = await tx
    .select({ passwordHash: appUser.passwordHash })
    .from(appUser)
    .where(eq(appUser.id, userId))
    .for('no key update')
    .prepare('lock_user')
    .execute()
  return user?.passwordHash
}

/** Inserts `row`, which belongs to a user. If the user does not exist, the same statement inserts nothing. */
export async function insertForUser<T extends PgTable>(
  tx: Db,
  table: T,
  userId: string,
  row: T['$inferInsert'],
): Promise<void> {
  const given: Record<string, unknown> = row
  const cells = Object.entries(getTableColumns(table)).map(([key, column]) =>
    sql.param(given[key] ?? column.default ?? null, column),
  )
  await tx.insert(table).select(sql`SELECT ${sql.join(cells, sql`, `)} FROM ${appUser} WHERE ${appUser.id} = ${userId}`)
}

/** An id without a row: no statement finds it, and `insertForUser` writes nothing for it. */
export const NOBODY = NIL

/** Stands in for an unknown login name, so that the server does the same work as for a known one (decision 0057). */
export const nobody = (loginKind: LoginKind, loginName: string): LoginUser => ({
  id: NOBODY,
  type: 'HRP Merchant',
  status: 'Active',
  loginKind,
  loginName,
  passwordHash: null,
  passwordChangedAt: null,
  mustChangePassword: false,
  organisationId: NOBODY,
  organisationName: '',
  organisationStatus: 'Active',
  name: null,
  contactName: null,
  branchId: null,
  branchName: null,
  branchStatus: null,
})
