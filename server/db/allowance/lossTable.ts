import { and, count, desc, eq, gt, gte, inArray, lt, max, sql, sum } from 'drizzle-orm'
import { addDays, startOfDay } from '../../../src/domain/singaporeTime.ts'
import type { Db } from '../engine/Database.ts'
import { acceptedVoucher } from '../schema/allowance.ts'
import { appUser, branch } from '../schema/organisations.ts'
import { within, type Scope } from '../Scope.ts'
import { instantCell, moneyCell, plainCell, textCell } from '../tables/csvCells.ts'
import { containsText, type TableSource } from '../tables/TableSource.ts'
import type { StoredAccepted } from './acceptedVouchers.ts'

const columns = {
  id: acceptedVoucher.id,
  serial: acceptedVoucher.serial,
  cents: acceptedVoucher.cents,
  branchId: acceptedVoucher.branchId,
  branchName: branch.name,
  tillId: acceptedVoucher.tillId,
  tillName: acceptedVoucher.tillName,
  posUsername: appUser.loginName,
  acceptedAt: acceptedVoucher.acceptedAt,
  arrivedAt: acceptedVoucher.arrivedAt,
  outcome: acceptedVoucher.outcome,
  reason: acceptedVoucher.reason,
  usedAt: acceptedVoucher.usedAt,
}

type Stored = Omit<StoredAccepted, 'id' | 'organisationId' | 'tillGuid' | 'posUserId' | 'grantId'>

export type FoundLoss = Stored & { branchName: string; posUsername: string | null }

const branchOfVoucher = eq(branch.id, acceptedVoucher.branchId)
/** The POS user that the till named; absent if the account was deleted or belongs to another branch. */
const userOfVoucher = and(eq(appUser.id, acceptedVoucher.posUserId), eq(appUser.branchId, acceptedVoucher.branchId))
/** A lost voucher, or a refused one, which is stored as `review`. */
const isLoss = inArray(acceptedVoucher.outcome, ['lost', 'review'])

const STATES = {
  lost: eq(acceptedVoucher.outcome, 'lost'),
  refused: eq(acceptedVoucher.outcome, 'review'),
}

export const lossTable: TableSource<FoundLoss, 'loss'> = {
  list: 'loss',
  id: acceptedVoucher.id,
  matches: (db) =>
    db.select({ id: acceptedVoucher.id }).from(acceptedVoucher).innerJoin(branch, branchOfVoucher).$dynamic(),
  columns,
  select: (db, fields) =>
    db
      .select(fields)
      .from(acceptedVoucher)
      .innerJoin(branch, branchOfVoucher)
      .leftJoin(appUser, userOfVoucher)
      .$dynamic(),
  within: (scope) => and(within(scope, acceptedVoucher.organisationId, acceptedVoucher.branchId), isLoss),
  sort: {
    accepted_at: acceptedVoucher.acceptedAt,
    arrived_at: acceptedVoucher.arrivedAt,
    cents: acceptedVoucher.cents,
    branch: branch.name,
    till: acceptedVoucher.tillName,
  },
  filters: {
    state: (state) => STATES[state],
    branch: (id) => eq(acceptedVoucher.branchId, id),
    from: (from) => gte(acceptedVoucher.acceptedAt, startOfDay(from)),
    to: (to) => lt(acceptedVoucher.acceptedAt, startOfDay(addDays(to, 1))),
  },
  search: (text) => containsText(acceptedVoucher.serial, text.replaceAll(' ', '')),
  csv: () => ({
    'Accepted at': instantCell(acceptedVoucher.acceptedAt),
    'Serial number': plainCell(acceptedVoucher.serial),
    Amount: moneyCell(acceptedVoucher.cents),
    Branch: textCell(branch.name),
    Till: textCell(acceptedVoucher.tillName),
    'POS user': textCell(appUser.loginName),
    'Arrived at': instantCell(acceptedVoucher.arrivedAt),
    Outcome: plainCell(sql`CASE WHEN ${acceptedVoucher.outcome} = 'lost' THEN 'Lost' ELSE 'Refused' END`),
    Reason: plainCell(acceptedVoucher.reason),
    'Used at': instantCell(acceptedVoucher.usedAt),
  }),
}

/** Tills of the scope with a lost or refused voucher that arrived after `since`, the newest first. */
export const tillsWithLosses = (db: Db, scope: Scope, since: Date, limit: number) =>
  db
    .select({
      guid: acceptedVoucher.tillGuid,
      name: max(acceptedVoucher.tillName),
      branchName: branch.name,
      newestAt: sql<Date>`max(${acceptedVoucher.arrivedAt})`.mapWith(acceptedVoucher.arrivedAt),
      count: count(),
      cents: sql<number>`${sum(acceptedVoucher.cents)}::float8`,
    })
    .from(acceptedVoucher)
    .innerJoin(branch, branchOfVoucher)
    .where(
      and(
        within(scope, acceptedVoucher.organisationId, acceptedVoucher.branchId),
        isLoss,
        gt(acceptedVoucher.arrivedAt, since),
      ),
    )
    .groupBy(acceptedVoucher.tillGuid, branch.name)
    .orderBy(desc(max(acceptedVoucher.arrivedAt)))
    .limit(limit)
