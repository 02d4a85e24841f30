import * as v from 'valibot'
import { ON_HOLD, VOIDED, type FilterOf } from '../../../src/contract/tables/lists.ts'
import type { Option, TablePage, TableQuery } from '../../../src/contract/tables/tableQuery.ts'
import { serial, type Voucher, type VoucherEvent, type VoucherRow } from '../../../src/contract/vouchers.ts'
import { csvLine } from '../../../src/domain/csv.ts'
import { centsAsDecimal } from '../../../src/domain/money.ts'
import { singaporeDay } from '../../../src/domain/singaporeTime.ts'
import { voucherStatus } from '../../../src/domain/vouchers.ts'
import { redemptionsOfVoucher } from '../../db/redemptions/redemptions.ts'
import { isWithin, type Scope } from '../../db/Scope.ts'
import { findVoucher, findVoucherById } from '../../db/vouchers/vouchers.ts'
import {
  heldTable,
  voidedTable,
  voucherTable,
  type FoundVoided,
  type FoundVoucher,
} from '../../db/vouchers/voucherTable.ts'
import type { Deps } from '../../Deps.ts'
import type { Actor } from '../accounts/sessions/Actor.ts'
import { receiptNumber } from '../redemptions/receipt.ts'
import { Refusal } from '../Refusal.ts'
import {
  csvOf,
  exportName,
  exportTable,
  noteExport,
  readChoices,
  readPage,
  type Export,
  type Listing,
} from '../tables/readTable.ts'
import { lookUpSerial } from './serialGuessing.ts'

type Query = TableQuery<'voucher'>

/**
 * Returns a page of the vouchers of the actor's scope; a full serial finds any voucher of the programme (rule 8.4). Throws Refusal VALIDATION_FAILED
 * for "Voided" among other statuses, TOO_MANY_ATTEMPTS after too many serials that do not exist.
 */
export async function findVouchers(deps: Deps, actor: Actor, asked: Query): Promise<TablePage<VoucherRow>> {
  const parsedSerial = v.safeParse(serial, asked.search_str)
  const readMine = () => withListing(actor.scope, asked, (view) => readPage(deps, actor.scope, view, asked))
  if (!parsedSerial.success) return readMine()
  return lookUpSerial(deps, actor.userId, parsedSerial.output, async () => {
    const page = await readMine()
    if (page.total > 0) return page
    const rows = (await findUnusedHere(deps, actor, parsedSerial.output))?.filter((row) => matchesFilters(row, asked))
    return rows && { rows: asked.start === 0 ? rows : [], total: rows.length, total_capped: false }
  }).catch((error: unknown) => {
    // In a table, no result is an empty page.
    if (error instanceof Refusal && error.code === 'VOUCHER_UNKNOWN') return { rows: [], total: 0, total_capped: false }
    throw error
  })
}

/** Exports all vouchers that `findVouchers` finds, as CSV. Throws like `findVouchers`. */
export async function exportVouchers(deps: Deps, actor: Actor, asked: Query): Promise<Export> {
  const exportMine = (isHeld?: boolean) =>
    withListing(actor.scope, asked, (view) => exportTable(deps, actor, view, asked), isHeld)
  if (!v.is(serial, asked.search_str)) return exportMine()
  const { rows } = await findVouchers(deps, actor, { ...asked, start: 0 })
  const mine = rows.find((row) => row.in_scope)
  if (mine) return exportMine(mine.held !== null)
  const view = voucherListing(actor.scope)
  const today = singaporeDay(deps.clock.now())
  return {
    filename: exportName(view.title, today),
    pieces: noteExport(deps, actor, view.title, csvOf(Object.keys(view.table.csv(today)), rows.map(csvLineElsewhere))),
    release: () => Promise.resolve(),
  }
}

/**
 * Returns the voucher in an array. The array is empty when the voucher was used in the scope, because then the filters have excluded it. Returns
 * undefined when no such voucher exists. A voucher on hold at one of the scope's tills counts as unused.
 */
async function findUnusedHere(deps: Deps, actor: Actor, fullSerial: string): Promise<VoucherRow[] | undefined> {
  const found = await findVoucher(deps.database.forAllTenants().db, fullSerial)
  if (!found) return undefined
  const row = voucherRow(found, actor.scope, singaporeDay(deps.clock.now()))
  return row.in_scope && !row.held ? [] : [row]
}

/** The filters that can match a voucher outside the scope. Where and when it was used must not be disclosed, so filters by those never match. */
const DISCLOSED_ELSEWHERE: Partial<Record<FilterOf<'voucher'>, (row: VoucherRow) => string>> = {
  denomination: ({ denomination_cents }) => String(denomination_cents),
  status: ({ status }) => status,
}

function matchesFilters(row: VoucherRow, { other_params }: Query): boolean {
  const filters = other_params.filter(({ value }) => value !== '')
  return filters.every(({ key }) =>
    filters.some((one) => one.key === key && one.value === DISCLOSED_ELSEWHERE[key]?.(row)),
  )
}

/**
 * Returns a voucher with its history in the actor's scope. Throws Refusal NOT_FOUND for a voucher that was never redeemed there and is not on hold
 * there: only its serial finds such a voucher.
 */
export async function readVoucher({ database, clock }: Deps, { scope }: Actor, id: string): Promise<Voucher> {
  const history = await redemptionsOfVoucher(database.db, scope, id)
  const found = await findVoucherById(database.db, id)
  const row = found && voucherRow(found, scope, singaporeDay(clock.now()))
  if (!row || (history.length === 0 && !row.in_scope)) throw new Refusal('NOT_FOUND')
  if (history.length > 0) await database.waitForStandby()
  return { ...row, history: history.flatMap(eventsOf) }
}

type PastRedemption = Awaited<ReturnType<typeof redemptionsOfVoucher>>[number]

function eventsOf(past: PastRedemption): VoucherEvent[] {
  const { redeemedAt, voidedAt, receiptNo, branchId, branchName, posUsername } = past
  const where = {
    receipt_number: receiptNumber(receiptNo),
    branch_guid: branchId,
    branch_name: branchName,
    pos_username: posUsername,
  }
  const redeemed: VoucherEvent = { event: 'Redeemed', at: redeemedAt.toISOString(), ...where, late: lateOf(past) }
  return voidedAt ? [redeemed, { event: 'Voided', at: voidedAt.toISOString(), ...where, late: null }] : [redeemed]
}

function lateOf({ isLate, settledBy, reason, reviewedAt, reviewedBy }: PastRedemption): VoucherEvent['late'] {
  if (!isLate) return null
  return {
    settled: settledBy === null || reason === null ? null : { by: settledBy, reason },
    reviewed: reviewedAt ? { at: reviewedAt.toISOString(), by: reviewedBy } : null,
  }
}

type VoucherListing<Found = FoundVoucher> = Listing<Found, VoucherRow, 'voucher'>

const voucherListing = (scope: Scope): VoucherListing => ({
  table: voucherTable,
  rowOf: (found, today) => voucherRow(found, scope, today),
  title: 'Vouchers',
})

/** Returns the vouchers of the scope as choices, by serial; at most LIMITS.listRows. */
export const listVouchers = (deps: Deps, { scope }: Actor): Promise<Option[]> =>
  readChoices(deps, scope, { table: voucherTable, nameOf: ({ serial }) => serial })

const VOIDED_LISTING: VoucherListing<FoundVoided> = {
  table: voidedTable,
  rowOf: voidedRow,
  title: 'Voided redemptions',
}

/** Reads the kind of rows that the query asks for: used vouchers, vouchers on hold (`isHeld`), or voided redemptions. */
function withListing<T>(
  scope: Scope,
  { other_params }: Pick<Query, 'other_params'>,
  read: <Found>(listing: VoucherListing<Found>) => T,
  isHeld = false,
): T {
  const statuses = other_params.flatMap(({ key, value }) => (key === 'status' && value !== '' ? [value] : []))
  if (statuses.includes(VOIDED)) {
    // Rows of this status are redemptions; rows of all others are vouchers.
    if (new Set(statuses).size > 1) throw new Refusal('VALIDATION_FAILED')
    return read(VOIDED_LISTING)
  }
  const used = voucherListing(scope)
  const asksForHeld = statuses.length > 0 && statuses.every((status) => HELD_STATUSES.includes(status))
  return read(isHeld || asksForHeld ? { ...used, table: heldTable } : used)
}

/** The statuses that a voucher on hold can have. It is never used. */
const HELD_STATUSES: readonly string[] = [ON_HOLD, 'Active', 'Expired']

/** Returns the row of a voided redemption in the reader's scope. */
function voidedRow(found: FoundVoided, today: string): VoucherRow {
  return {
    guid: found.voucherId,
    serial: found.serial,
    denomination_cents: found.denominationCents,
    expires_on: found.expiresOn,
    status: voucherStatus(found.status, found.expiresOn, today),
    in_scope: true,
    date_used: found.redeemedAt.toISOString(),
    branch_guid: found.branchId,
    branch_name: found.branchName,
    held: null,
    voided_at: found.voidedAt?.toISOString() ?? null,
    voided_by: found.voidedBy,
  }
}

/** Returns a voucher as `scope` may see it: outside the scope, never where or when it was used (rule 8.4). */
function voucherRow(found: FoundVoucher, scope: Scope, today: string): VoucherRow {
  const inScope = isWithin(scope, found.organisationId, found.branchId)
  return {
    guid: found.id,
    serial: found.serial,
    denomination_cents: found.denominationCents,
    expires_on: found.expiresOn,
    status: voucherStatus(found.status, found.expiresOn, today),
    in_scope: inScope,
    date_used: inScope ? (found.usedAt?.toISOString() ?? null) : null,
    branch_guid: inScope ? found.branchId : null,
    branch_name: inScope ? found.branchName : null,
    held: inScope ? heldOf(found) : null,
    voided_at: null,
    voided_by: null,
  }
}

function heldOf({ holdTillName, holdSince, holdEndsAt }: FoundVoucher): VoucherRow['held'] {
  if (holdTillName === null || holdSince === null || holdEndsAt === null) return null
  return { till: holdTillName, since: holdSince.toISOString(), ends: holdEndsAt.toISOString() }
}

/** Returns the CSV line of a voucher outside the scope. The line needs no check for formulas, because a person wrote none of its cells. */
const csvLineElsewhere = ({ serial, denomination_cents, status, expires_on }: VoucherRow): string =>
  csvLine([serial, centsAsDecimal(denomination_cents), status, '', '', expires_on])
