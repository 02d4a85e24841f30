import type { Receipt } from '../../../src/contract/redemptions/redeem.ts'
import type { Deps } from '../../Deps.ts'
import { traceVoucher } from '../../tracing.ts'
import { redeemVoucher, type Redemption } from './redeemVoucher.ts'

/** Of one upload: a till with fifteen vouchers takes no more of the connections than one with two. */
const ROWS_AT_ONCE = 2

export type Uploaded = { id: string; receipt: Receipt; replayed: boolean } | { id: string; error: unknown }

/**
 * What a till took and nobody has heard of, in the order of the rows. Each is redeemed as if it had come alone: at most once, in a
 * transaction of its own, by the secret of its hold and by nothing else. So a row that fails, or whose answer is lost, says nothing
 * about the others, and the same upload again gives each its receipt, `replayed` where it had one.
 */
export async function uploadRedemptions(
  deps: Deps,
  rows: readonly (Pick<Redemption, 'id' | 'serial' | 'tappedAt' | 'taking' | 'caller'> & {
    secretHash: string
  })[],
): Promise<Uploaded[]> {
  const outcomes: Uploaded[] = []
  const waiting = [...rows.entries()].values()
  const inTurn = async () => {
    for (const [at, row] of waiting) outcomes[at] = await upload(deps, { ...row, idleSeconds: undefined })
  }
  await Promise.all(Array.from({ length: ROWS_AT_ONCE }, inTurn))
  return outcomes
}

const upload = (deps: Deps, row: Redemption): Promise<Uploaded> =>
  traceVoucher(row.id, () => redeemVoucher(deps, row)).then(
    (redeemed) => ({ id: row.id, ...redeemed }),
    (error: unknown) => ({ id: row.id, error }),
  )
