import type { BenchDatabase } from './benchDatabase.ts'
import { MAIN_ACCOUNT } from './ledger.ts'
import { portalRequest } from '../portalRequests.ts'
import { tillRequests } from '../tillRequests.ts'
import { tokenIssuer } from '../tokenIssuer.ts'

export const KINDS = ['portal', 'redeem'] as const
export type Kind = (typeof KINDS)[number]

/** One of so many is a redemption at a counter; the others are people at their portals. */
const REDEEM_EVERY = 5

/** What a server at `url` is asked by everybody together; its tokens are good for ten minutes. Each voucher is redeemed once. */
export async function mixedRequests(
  url: string,
  { secrets }: BenchDatabase,
  { tills, vouchers }: { tills: number; vouchers: number },
  counted = { turn: 0, voucher: 0 },
) {
  const token = await tokenIssuer(url, secrets)(MAIN_ACCOUNT)
  const till = await tillRequests(url, secrets, tills)
  const { host } = new URL(url)
  return (): { kind: Kind; text: string } => {
    const turn = counted.turn++
    if (turn % REDEEM_EVERY > 0) return { kind: 'portal', text: portalRequest(host, token, turn) }
    const n = counted.voucher++
    if (n >= vouchers) throw new Error('a load has more vouchers than this')
    return { kind: 'redeem', text: till.redeem(n % tills, n) }
  }
}
