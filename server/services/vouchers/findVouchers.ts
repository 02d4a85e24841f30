import type { VoucherColumn } from '../../../src/contract/tables/tableColumns.ts'
import * as v from 'valibot'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import type { TablePage, TableQuery } from '../../../src/contract/tables/tableQuery.ts'
import { serial, type VoucherRow } from '../../../src/contract/vouchers.ts'
import { findVoucher } from '../../db/vouchers.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { noteExport } from '../tables/noteExport.ts'
import { csvOf, exportName, exportTable, type Export, readPage } from '../tables/readTable.ts'
import { refuseGuessing, countUnknownSerial } from './serialGuessing.ts'
import { lineElsewhere, type VoucherFilter, voucherRow, voucherListing } from './voucherListing.ts'

type Query = TableQuery<VoucherColumn, VoucherFilter>

/**
 * A page of the vouchers of the actor's scope; a full serial finds any voucher of the programme (DESIGN §2). Throws Refusal
 * VALIDATION_FAILED for a filter value that is none, TOO_MANY_ATTEMPTS after too many serials that do not exist.
 */
export async function findVouchers(deps: Deps, actor: Actor, asked: Query): Promise<TablePage<VoucherRow>> {
  const full = v.safeParse(serial, asked.search_str)
  if (full.success) await refuseGuessing(deps, actor.userId)
  const page = await readPage(deps, actor.scope, voucherListing(actor.scope), asked)
  if (!full.success || page.total > 0) return page
  const rows = (await findElsewhere(deps, actor, full.output)).filter((row) => fits(row, asked))
  return { rows: asked.start === 0 ? rows : [], total: rows.length, total_capped: false }
}

/** The same vouchers, all of them, as CSV. Throws like `findVouchers`. */
export async function exportVouchers(deps: Deps, actor: Actor, asked: Query): Promise<Export> {
  const view = voucherListing(actor.scope)
  if (!v.is(serial, asked.search_str)) return exportTable(deps, actor, view, asked)
  const { rows } = await findVouchers(deps, actor, { ...asked, start: 0 })
  if (rows.some((row) => row.in_scope)) return exportTable(deps, actor, view, asked)
  const today = singaporeDay(deps.clock.now())
  return {
    filename: exportName(view.title, today),
    pieces: noteExport(deps, actor, view.title, csvOf(Object.keys(view.csv(today)), rows.map(lineElsewhere))),
    release: () => Promise.resolve(),
  }
}

/** A voucher that the scope has not redeemed and does not hold. */
async function findElsewhere(deps: Deps, actor: Actor, fullSerial: string): Promise<VoucherRow[]> {
  const found = await findVoucher(deps.database.portal().db, fullSerial)
  if (found) {
    const row = voucherRow(found, actor.scope, singaporeDay(deps.clock.now()))
    // In scope and yet not on the page: the filters have left it out.
    return row.in_scope ? [] : [row]
  }
  const refusal = await countUnknownSerial(deps, actor.userId)
  // In a table, nothing found is an empty page.
  if (refusal.code === 'VOUCHER_UNKNOWN') return []
  throw refusal
}

/** What may be told about a voucher elsewhere; where and when it was used may not, so those filters never fit. */
const TOLD: Partial<Record<VoucherFilter, (row: VoucherRow) => string>> = {
  denomination: ({ denomination_cents }) => String(denomination_cents),
  status: ({ status }) => status,
}

function fits(row: VoucherRow, { other_params }: Query): boolean {
  const filters = other_params.filter(({ value }) => value !== '')
  return filters.every(({ key }) => filters.some((one) => one.key === key && one.value === TOLD[key]?.(row)))
}
