import * as v from 'valibot'
import { LIMITS } from '../../src/contract/limits.ts'
import type { TablePage, TableQuery } from '../../src/contract/tableQuery.ts'
import { serial, type VOUCHER_FILTERS, type VoucherColumn, type VoucherRow } from '../../src/contract/voucher.ts'
import { singaporeDay } from '../../src/domain/singaporeTime.ts'
import { voucherStatus } from '../../src/domain/voucherStatus.ts'
import type { Scope } from '../db/Scope.ts'
import { countVouchers, findVoucher, type FoundVoucher, pageOfVouchers, type VoucherQuery } from '../db/vouchers.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './Actor.ts'
import { Refusal } from './Refusal.ts'
import { refuseGuessing, unknownSerial } from './unknownSerial.ts'

type Page = TablePage<VoucherRow>
type Query = TableQuery<VoucherColumn, (typeof VOUCHER_FILTERS)[number]>

const EMPTY: Page = { rows: [], total: 0, total_capped: false }

/**
 * A page of the vouchers of the actor's scope; a full serial finds any voucher of the programme instead (DESIGN §2). Throws
 * Refusal VALIDATION_FAILED for a filter that is no amount, TOO_MANY_ATTEMPTS after too many serials that do not exist.
 */
export async function lookUpVouchers(deps: Deps, actor: Actor, asked: Query): Promise<Page> {
  const query = toVoucherQuery(asked)
  const full = v.safeParse(serial, asked.search_str)
  if (full.success) return lookUpSerial(deps, actor, full.output, query)
  // Serials are digits, so nothing else begins one.
  if (!/^\d{0,13}$/.test(query.serialPrefix)) return EMPTY
  return pageOf(deps, actor.scope, query)
}

function toVoucherQuery(asked: Query): VoucherQuery {
  return {
    serialPrefix: asked.search_str.replaceAll(/[\s-]/g, ''),
    denominationCents: denominationOf(asked),
    orderBy: asked.order_by,
    start: asked.start,
    limit: asked.limit,
  }
}

function denominationOf({ other_params }: Query): number | undefined {
  const index = other_params.findIndex(({ key, value }) => key === 'denomination' && value !== '')
  const value = other_params[index]?.value
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const path = `other_params.${index}.value`
  throw new Refusal('VALIDATION_FAILED', { fields: [{ path, rule: 'digits', message: 'must be digits' }] })
}

async function pageOf({ database, clock }: Deps, scope: Scope, query: VoucherQuery): Promise<Page> {
  const today = singaporeDay(clock.now())
  const found = await pageOfVouchers(database.db, scope, query)
  const counted = await countVouchers(database.db, scope, query)
  return {
    rows: found.map((voucher) => rowOf(voucher, scope, today)),
    total: Math.min(counted, LIMITS.tableCountedRows),
    total_capped: counted > LIMITS.tableCountedRows,
  }
}

async function lookUpSerial(deps: Deps, actor: Actor, fullSerial: string, query: VoucherQuery): Promise<Page> {
  await refuseGuessing(deps, actor.userId)
  const found = await findVoucher(deps.database.db, fullSerial)
  if (!found) {
    const refusal = await unknownSerial(deps, actor.userId)
    // In a table, nothing found is an empty page.
    if (refusal.code === 'VOUCHER_UNKNOWN') return EMPTY
    throw refusal
  }
  const { denominationCents, start } = query
  if (denominationCents !== undefined && denominationCents !== found.denominationCents) return EMPTY
  const row = rowOf(found, actor.scope, singaporeDay(deps.clock.now()))
  return { rows: start === 0 ? [row] : [], total: 1, total_capped: false }
}

function rowOf(found: FoundVoucher, scope: Scope, today: string): VoucherRow {
  const inScope =
    found.redeemedOrganisationId === scope.organisationId &&
    (scope.branchIds === 'all' || scope.branchIds.includes(found.redeemedBranchId ?? ''))
  return {
    guid: found.id,
    serial: found.serial,
    denomination_cents: found.denominationCents,
    expires_on: found.expiresOn,
    status: voucherStatus(found.status, found.expiresOn, today),
    in_scope: inScope,
    date_used: inScope ? (found.usedAt?.toISOString() ?? null) : null,
    branch_guid: inScope ? found.redeemedBranchId : null,
    branch_name: inScope ? found.branchName : null,
  }
}
