import { verifyVoucher } from '../contract/redemptions/redeem.ts'
import { BACKLOG_HEADER, syncTill } from '../contract/redemptions/sync.ts'
import type { TillWire } from '../domain/TillWire.ts'
import { ApiError } from './ApiError.ts'
import { call } from './call.ts'
import { laterOf, noted, outcomeOf } from './outcomeOf.ts'
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
    const work = noted(async () => {
      const { outcomes } = await call(syncTill, { headers, body: { rows: [...rows] } })
      // Without one outcome for each row, it is unknown which outcome belongs to which row.
      if (outcomes.length !== rows.length) throw notOurAnswer()
      return outcomes
    })
    try {
      return { kind: 'done', answer: await work() }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      // A status is not the last word: a proxy, another build or a wrong route also sends statuses, and they must not decide about money.
      const later = laterOf(error)
      return later.retryAfterMs === undefined ? later : { ...later, isBusy: true }
    }
  },
}

/** Final where a cashier waits, who is told to wait, and how long. Only requests without a waiting cashier are repeated automatically. */
const isFinalAtCounter = (error: ApiError) => !error.isTransient || error.code === 'TOO_MANY_ATTEMPTS'
