import { and, eq, isNotNull, isNull, or, sql, type SQL } from 'drizzle-orm'
import { alias, type PgColumn } from 'drizzle-orm/pg-core'
import type { AccountStatus } from '../../../src/contract/accounts/permissions.ts'
import type { BranchKind } from '../../../src/contract/tables/lists.ts'
import { WEEKDAYS } from '../../../src/domain/weekdays.ts'
import { invitedAt } from '../accounts/passwords.ts'
import { appUser, branch } from '../schema/organisations.ts'
import { within } from '../Scope.ts'
import { dayCell, instantCell, plainCell, textCell } from '../tables/csvCells.ts'
import { containsText, type TableSource } from '../tables/TableSource.ts'

/** The account that logs in as the branch. */
const login = alias(appUser, 'login')
const master = alias(appUser, 'master')
const creator = alias(appUser, 'creator')

const isLoginOfBranch = and(eq(login.branchId, branch.id), eq(login.type, 'Branch Merchant'))

export interface FoundBranch {
  id: string
  organisationId: string
  name: string
  code: string
  kind: BranchKind
  status: AccountStatus
  fromDay: string | null
  toDay: string | null
  business: unknown
  financialContact: unknown
  pinHash: string | null
  pinWeak: boolean
  pinSetAt: Date | null
  createdAt: Date | null
  createdBy: string | null
  revision: number
  masterId: string | null
  masterName: string | null
  masterEmail: string | null
  loginId: string | null
  loginStatus: AccountStatus | null
  email: string | null
  lastLoginAt: Date | null
  invitedAt: Date | null
  posUsers: number
}

const countOfPosUsers = sql<number>`(
  SELECT count(*)::int FROM app_user u WHERE u.branch_id = branch.id AND u.type = 'POS User'
)`

/**
 * SQL: the operating hours of a branch in the format of domain/operatingHours, so that an import can read them; null for the hours of the
 * organisation. Consecutive days with the same hours form a group: their weekday number minus their row number is the same.
 */
const operatingHours = sql<string | null>`(
  WITH week AS (
    SELECT n, left(day, 3) AS day, week_hours ->> 'opens' AS opens, week_hours -> 'break' AS rest,
      replace(week_hours ->> 'closes', '00:00', '24:00') AS closes
    FROM unnest(${sql.raw(`ARRAY['${WEEKDAYS.join("','")}']`)}) WITH ORDINALITY AS names (day, n),
      LATERAL (SELECT ${branch.business} -> 'operating_hours' -> day AS week_hours) AS named
    WHERE jsonb_typeof(${branch.business} -> 'operating_hours') = 'object'
  ), said AS (
    SELECT n, day, CASE
      WHEN opens IS NULL THEN 'closed'
      WHEN opens = '00:00' AND closes = '24:00' AND rest IS NULL THEN '24 hours'
      ELSE opens || '–' || coalesce((rest ->> 'from') || ' and ' || (rest ->> 'to') || '–', '') || closes
        || CASE WHEN closes < opens THEN ' (next day)' ELSE '' END
    END AS hours
    FROM week
  ), runs AS (
    SELECT min(n) AS first, array_agg(day ORDER BY n) AS days, hours
    FROM (SELECT n, day, hours, n - row_number() OVER (PARTITION BY hours ORDER BY n) AS run FROM said) AS placed
    GROUP BY hours, run
  )
  SELECT string_agg(days[1] || CASE cardinality(days) WHEN 1 THEN '' WHEN 2 THEN ', ' ELSE '–' END
    || CASE cardinality(days) WHEN 1 THEN '' ELSE days[cardinality(days)] END || ' ' || hours, ', ' ORDER BY first)
  FROM runs
)`

const columns = {
  id: branch.id,
  organisationId: branch.organisationId,
  name: branch.name,
  code: branch.code,
  kind: branch.kind,
  status: branch.status,
  fromDay: branch.fromDay,
  toDay: branch.toDay,
  business: branch.business,
  financialContact: branch.financialContact,
  pinHash: branch.pinHash,
  pinWeak: branch.pinWeak,
  pinSetAt: branch.pinSetAt,
  createdAt: branch.createdAt,
  createdBy: creator.loginName,
  revision: branch.revision,
  masterId: branch.masterUserId,
  masterName: master.name,
  masterEmail: master.loginName,
  loginId: login.id,
  loginStatus: login.status,
  email: login.loginName,
  lastLoginAt: login.lastLoginAt,
  invitedAt: invitedAt('login'),
  posUsers: countOfPosUsers,
}

const nullFirst = (day: PgColumn) => sql`coalesce(${day}, '-infinity')`

const branchTable = (condition?: SQL): TableSource<FoundBranch, 'branch'> => ({
  list: 'branch',
  id: branch.id,
  matches: (db) => db.select({ id: branch.id }).from(branch).leftJoin(login, isLoginOfBranch).$dynamic(),
  columns,
  select: (db, fields) =>
    db
      .select(fields)
      .from(branch)
      .leftJoin(login, isLoginOfBranch)
      .leftJoin(master, eq(master.id, branch.masterUserId))
      .leftJoin(creator, eq(creator.id, branch.createdBy))
      .$dynamic(),
  within: (scope) => and(within(scope, branch.organisationId, branch.id), condition),
  sort: {
    guid: branch.id,
    name: branch.name,
    code: branch.code,
    status: branch.status,
    from_day: nullFirst(branch.fromDay),
    to_day: nullFirst(branch.toDay),
    last_login_at: sql`coalesce(${login.lastLoginAt}, '-infinity')`,
  },
  filters: {
    status: (value) => eq(branch.status, value),
    account_status: (value) => eq(login.status, value),
    kind: (value) => eq(branch.kind, value),
    master: (value) => (value === 'none' ? isNull(branch.masterUserId) : eq(branch.masterUserId, value)),
  },
  search: (text) =>
    or(containsText(branch.name, text), containsText(branch.code, text), containsText(login.loginName, text)),
  csv: () => ({
    Name: textCell(branch.name),
    'Branch code': textCell(branch.code),
    Status: plainCell(branch.status),
    Email: textCell(login.loginName),
    Account: plainCell(login.status),
    'Managed by': textCell(sql`coalesce(${master.name}, ${master.loginName})`),
    'First day': dayCell(branch.fromDay),
    'Last day': dayCell(branch.toDay),
    'POS users': plainCell(countOfPosUsers),
    'Last login': instantCell(login.lastLoginAt),
    'Operating hours': plainCell(operatingHours),
  }),
})

export const BRANCH_TABLES = {
  branches: branchTable(),
  masterBranches: branchTable(isNotNull(branch.masterUserId)),
  adhocBranches: branchTable(eq(branch.kind, 'adhoc')),
}
