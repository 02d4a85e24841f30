import { v7 as uuidv7 } from 'uuid'
import type { TransactionReportRequest } from '../../src/contract/report.ts'
import { addDays, formatDayRange, startOfDay } from '../../src/domain/singaporeTime.ts'
import { findBranch, findPosUser } from '../db/branches.ts'
import {
  type LedgerPosition,
  type LedgerRow,
  pageOfRedemptions,
  type RedemptionFilter,
  totalOfRedemptions,
} from '../db/redemptions.ts'
import { freeSlot, renewSlot, takeSlot } from '../db/reportSlots.ts'
import type { Deps } from '../Deps.ts'
import type { Actor } from './Actor.ts'
import { toCsv } from './csv.ts'
import { Refusal } from './Refusal.ts'
import { reportHead, transactionLine } from './transactionCsv.ts'

const BATCH = 2_000

export interface Report {
  filename: string
  rows: number
  /** CSV text in pieces. Throws when the ledger changed under it, so that nobody takes half a report for a whole one. */
  pieces: AsyncGenerator<string, void, void>
  /** To be called when nobody reads on, whyever: frees one of the user's two report slots. */
  release(): Promise<void>
}

/** Filters by name, as the first rows of the report state them. */
export interface NamedFilters {
  branch: string | undefined
  posUser: string | undefined
  denominationCents: number | null
}

/**
 * Redemptions of the actor's scope between two Singapore days, both included, oldest first. Throws Refusal NOT_FOUND for a
 * branch or POS user outside the scope, TOO_MANY_REPORTS.
 */
export async function transactionReport(deps: Deps, actor: Actor, asked: TransactionReportRequest): Promise<Report> {
  const names = await nameFilters(deps, actor, asked)
  const lease = await takeReportSlot(deps, actor)
  try {
    const filter = toFilter(deps, asked)
    const total = await totalOfRedemptions(deps.database.db, actor.scope, filter)
    const head = reportHead({ actor, asked, names, total, now: deps.clock.now() })
    return {
      filename: `Transaction Report, ${formatDayRange(asked.from, asked.to)}.csv`,
      rows: total.rows,
      pieces: writePieces(deps, actor, lease, filter, head, total.rows),
      release: lease.free,
    }
  } catch (error) {
    await lease.free()
    throw error
  }
}

async function nameFilters(
  { database }: Deps,
  { scope }: Actor,
  asked: TransactionReportRequest,
): Promise<NamedFilters> {
  const branch = asked.branch_guid === null ? undefined : await findBranch(database.db, scope, asked.branch_guid)
  const posUser = asked.pos_guid === null ? undefined : await findPosUser(database.db, scope, asked.pos_guid)
  const isMissing = (asked.branch_guid !== null && !branch) || (asked.pos_guid !== null && !posUser)
  const isElsewhere = branch && posUser && posUser.branchId !== branch.guid
  if (isMissing || isElsewhere) throw new Refusal('NOT_FOUND')
  return { branch: branch?.name, posUser: posUser?.name, denominationCents: asked.denomination_cents }
}

interface Lease {
  renew(): Promise<void>
  free(): Promise<void>
}

async function takeReportSlot({ database, clock }: Deps, { userId }: Actor): Promise<Lease> {
  const leaseId = uuidv7()
  const taken = await takeSlot(database.db, userId, leaseId, clock.now())
  if (!taken) throw new Refusal('TOO_MANY_REPORTS', { retryAfterSeconds: 5 })
  return {
    renew: () => renewSlot(database.db, userId, leaseId, clock.now()),
    free: () => freeSlot(database.db, userId, leaseId),
  }
}

/** Rows that come in while the report is written are left to the next one: the totals at its top stay true. */
function toFilter({ clock }: Deps, asked: TransactionReportRequest): RedemptionFilter {
  const end = startOfDay(addDays(asked.to, 1))
  const afterNow = new Date(clock.now().getTime() + 1)
  return {
    from: startOfDay(asked.from),
    before: end < afterNow ? end : afterNow,
    branchId: asked.branch_guid,
    posUserId: asked.pos_guid,
    denominationCents: asked.denomination_cents,
  }
}

async function* writePieces(
  deps: Deps,
  actor: Actor,
  lease: Lease,
  filter: RedemptionFilter,
  head: string,
  promised: number,
): Report['pieces'] {
  yield head
  let written = 0
  for await (const batch of batches(deps, actor, filter)) {
    written += batch.length
    await lease.renew()
    yield toCsv(batch.map(transactionLine))
  }
  if (written !== promised) throw new LedgerMoved(promised, written)
}

/** A redemption was recorded or voided between the count and the rows. The client asks again. */
class LedgerMoved extends Error {
  override name = 'LedgerMoved' as const
  constructor(promised: number, written: number) {
    super(`${promised} rows were promised, ${written} were found`)
  }
}

async function* batches({ database }: Deps, { scope }: Actor, filter: RedemptionFilter): AsyncGenerator<LedgerRow[]> {
  let after: LedgerPosition | undefined
  do {
    const batch = await pageOfRedemptions(database.db, scope, filter, BATCH, after)
    if (batch.length > 0) yield batch
    after = batch.length === BATCH ? batch.at(-1) : undefined
  } while (after)
}
