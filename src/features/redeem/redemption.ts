import * as v from 'valibot'
import { ApiError } from '../../api/ApiError.ts'
import { voucherApi } from '../../api/portal.ts'
import { type Receipt, type VerifiedVoucher, VoucherFacts } from '../../contract/voucher.ts'
import {
  isUnsettled,
  storeAbandoned,
  storeReceipt,
  storeSentAgain,
  storeSettled,
} from '../../offline/page/tillStore.ts'
import type { TillRow } from '../../offline/store/tillDatabase.ts'

/** Why a voucher was not taken. `unavailable` is the line's or the server's trouble, not the voucher's. */
export type Refusal = 'used' | 'expired' | 'revoked' | 'unknown' | 'busy' | 'throttled' | 'unavailable'

export type Verified = { good: VerifiedVoucher } | { refused: Refusal; voucher?: VerifiedVoucher | undefined }
/** `open`: no answer, so nobody may say anything yet. */
export type Attempt = { receipt: Receipt } | { refused: Refusal } | 'open'

/** Asks what a voucher is worth. Takes nothing. */
export async function verifyVoucher(serial: string): Promise<Verified> {
  try {
    return { good: await voucherApi.verify({ body: { serial } }) }
  } catch (error) {
    return { refused: refusalOf(error), voucher: voucherIn(error, serial) }
  }
}

/**
 * Sends a stored redemption under its id, first time or again: the server gives one id one answer, so sending again is how a
 * lost answer is asked for. The row is settled before the screen says a word.
 */
export async function attempt(row: TillRow): Promise<Attempt> {
  try {
    await storeSentAgain(row.id)
    const receipt = await voucherApi.redeem({ body: { serial: row.serial }, headers: { 'idempotency-key': row.id } })
    await storeReceipt(row.id, receipt)
    return { receipt }
  } catch (error) {
    const refused = refusalOf(error)
    // Busy and throttled took nothing, but the same id may still succeed; unavailable may have taken it.
    if (refused === 'unavailable' || refused === 'busy' || refused === 'throttled') return 'open'
    await storeSettled(row.id, 'refused')
    return { refused }
  }
}

/** After giving up, a request on its way may still arrive; only when it cannot any more is "unknown" final. */
const IN_FLIGHT_AT_MOST_MS = 60_000

/**
 * What became of a redemption nobody waits for: it is asked about by id, never sent again (DESIGN §7), for the customer may be
 * gone. True once it is settled.
 */
export async function resolveAbandoned(row: TillRow): Promise<boolean> {
  const now = await storeAbandoned(row.id)
  if (!now || !isUnsettled(now)) return true
  try {
    await storeReceipt(row.id, await voucherApi.redemption({ params: { id: row.id } }))
    return true
  } catch (error) {
    const never = error instanceof ApiError && error.code === 'REDEMPTION_UNKNOWN'
    if (!never || Date.now() - row.sentAt < IN_FLIGHT_AT_MOST_MS) return false
    await storeSettled(row.id, 'nothing taken')
    return true
  }
}

/** Stops waiting. An answer that arrived in the same moment is the answer. */
export async function giveUp(row: TillRow): Promise<Attempt> {
  const now = await storeAbandoned(row.id)
  return now?.receipt ? { receipt: now.receipt } : 'open'
}

function refusalOf(error: unknown): Refusal {
  if (!(error instanceof ApiError)) throw error
  switch (error.code) {
    case 'VOUCHER_ALREADY_USED':
      return 'used'
    case 'VOUCHER_EXPIRED':
      return 'expired'
    case 'VOUCHER_REVOKED':
      return 'revoked'
    case 'VOUCHER_UNKNOWN':
      return 'unknown'
    case 'VOUCHER_BUSY':
      return 'busy'
    case 'TOO_MANY_ATTEMPTS':
      return 'throttled'
    default:
      return 'unavailable'
  }
}

/** A refusal may carry what the voucher was worth, for the ticket on the screen. */
function voucherIn(error: unknown, serial: string): VerifiedVoucher | undefined {
  if (!(error instanceof ApiError)) return undefined
  const facts = v.safeParse(VoucherFacts, error.data)
  return facts.success ? { serial, ...facts.output } : undefined
}
