import { verifyVoucher } from '../contract/redemptions/redeem.ts'
import { BACKLOG_HEADER, syncTill } from '../contract/redemptions/sync.ts'
import type { TillWire } from '../domain/TillWire.ts'
import { ApiError } from './ApiError.ts'
import { call } from './call.ts'
import { toRetryLater, noteFailures, outcomeOf } from './outcomeOf.ts'
import { notOurAnswer } from './transport.ts'

export const tillWire: TillWire = {
  verify: async ({ serial, id, secret_hash, till, pin }) => {
    const body = { serial, hold: { id, secret_hash, till }, ...(pin ? { pin } : {}) }
    const work = () => call(verifyVoucher, { body })
    const outcome = await outcomeOf(work, isFinalAtCounter)
    return outcome.kind === 'logIn' ? { ...outcome, kind: 'later', connectionFailed: false } : outcome
  },
  sync: async (rows, isBacklog) => {
    const headers: Record<string, string> = isBacklog ? { [BACKLOG_HEADER]: '1' } : {}
    const work = noteFailures(async () => {
      const { outcomes } = await call(syncTill, { headers, body: { rows: [...rows] } })
      // Without one outcome for each row, it is unknown which outcome belongs to which row.
      if (outcomes.length !== rows.length) throw notOurAnswer()
      return outcomes
    })
    try {
      return { kind: 'done', answer: await work() }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A status is never final: a proxy, another build or a wrong route may have sent it, and these must not decide about money.
      const later = toRetryLater(error)
      return later.retryAfterMs === undefined ? later : { ...later, isBusy: true }
    }
  },
}

/** True if the waiting cashier gets the failure. This includes "too many attempts", which says how long to wait. */
const isFinalAtCounter = (error: ApiError) => !error.isTransient || error.code === 'TOO_MANY_ATTEMPTS'
