import type { Settings } from '../../../server/Deps.ts'
import type { Secrets } from '../../../server/secrets/secrets.ts'
import { accessTokens } from '../../../server/services/accounts/sessions/accessTokens.ts'
import type { BenchPlace } from './benchDatabase.ts'
import { holdId, SECRET, SECRET_HASH, serialOf, tillSession, tillUser, type CounterSize } from './counterSql.ts'
import { ledgerVoucher, MAIN_ACCOUNT, ROWS } from './ledger.ts'

export const KINDS = ['portal', 'redeem'] as const

export type Kind = (typeof KINDS)[number]

/** One of so many requests is a redemption at a counter; the others come from merchants' portals. */
const REDEEM_EVERY = 5

/** Makes the mixed requests for a server at `url`; tokens are valid for ten minutes. Each voucher is redeemed once. */
export async function mixedRequests(
  url: string,
  { secrets }: BenchPlace,
  { tills, vouchers }: CounterSize,
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
    return { kind: 'redeem', text: till.redeem(n) }
  }
}

export interface RawRequest {
  host: string
  method: 'GET' | 'POST'
  path: string
  token?: string
  body?: object
  headers?: Record<string, string>
}

/** Formats a request as raw HTTP text, for loads that write to bare sockets. */
export function rawRequest({ host, method, path, token, body, headers = {} }: RawRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  const described = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': text.length }
  const known = token === undefined ? {} : { Authorization: `Bearer ${token}` }
  const all = { Host: host, ...known, ...headers, ...described }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return [`${method} ${path} HTTP/1.1`, ...lines, '', text].join('\r\n')
}

interface TillRequests {
  verify(till: number, n: number, more?: object): string
  /** Redeems a voucher that is on hold, by its secret alone. */
  redeem(n: number): string
}

/** Makes the requests of tills 0 to `tills` - 1 to the server at `url`; valid for ten minutes. */
export async function tillRequests(url: string, secrets: Secrets, tills: number): Promise<TillRequests> {
  const issue = tokenIssuer(url, secrets)
  const tokens = await Promise.all(Array.from({ length: tills }, (_, till) => issue(tillUser(till), tillSession(till))))
  const { host } = new URL(url)
  return {
    verify: (till, n, more) => {
      const hold = { id: holdId(n), secret_hash: SECRET_HASH, till: tillUser(till) }
      const body = { ...more, serial: serialOf(n), hold }
      return rawRequest({ host, method: 'POST', path: '/api/voucher/verify', token: tokens[till]!, body })
    },
    redeem: (n) => syncRequest(host, [n]),
  }
}

/** The request by which a till redeems vouchers that it holds; `headers` say whether a customer is waiting. */
export function syncRequest(host: string, vouchers: readonly number[], headers: Record<string, string> = {}): string {
  const rows = vouchers.map((n) => ({ became: 'redeemed', id: holdId(n), secret: SECRET }))
  return rawRequest({ host, method: 'POST', path: '/api/till/sync', body: { rows }, headers })
}

/** A request of a merchant's portal, and its share in the total. */
interface Question {
  share: number
  method: 'GET' | 'POST'
  path: string
  body?: (turn: number) => object
}

const page = (given: object = {}) => ({ start: 0, limit: 10, ...given })

/** Spreads the vouchers over the ledger, because a disk page that was just read costs nothing. */
const voucherOf = (turn: number) => ledgerVoucher(1 + ((turn * 7_919) % ROWS))

const DAY_IN_LEDGER = '2026-10-15'

/** The requests of the screens: mostly tables and single vouchers, then the dashboard, the bell, filters, and a preview now and then. */
const QUESTIONS: readonly Question[] = [
  { share: 5, method: 'POST', path: '/api/voucher/datatable', body: () => page() },
  { share: 2, method: 'POST', path: '/api/voucher/datatable', body: (turn) => page({ start: 10 * (1 + (turn % 50)) }) },
  {
    share: 3,
    method: 'POST',
    path: '/api/voucher/datatable',
    body: (turn) => page({ search_str: voucherOf(turn).serial.slice(0, 12) }),
  },
  { share: 3, method: 'GET', path: '/api/voucher/get/:id' },
  { share: 2, method: 'GET', path: '/api/dashboard' },
  { share: 2, method: 'GET', path: '/api/notices' },
  { share: 2, method: 'GET', path: '/api/account/my_info' },
  { share: 1, method: 'GET', path: '/api/filter/transaction/branch_list' },
  { share: 1, method: 'GET', path: '/api/filter/transaction/voucher_denomination' },
  { share: 1, method: 'POST', path: '/api/activity/datatable', body: () => page() },
  {
    share: 1,
    method: 'POST',
    path: '/reporting/report/preview',
    body: () => ({ report: 'daily', params: { day: DAY_IN_LEDGER } }),
  },
]

const DEALT = QUESTIONS.flatMap((question) => Array.from({ length: question.share }, () => question))

/** Shares no divisor with the number of questions, so that they come well mixed. */
const STRIDE = 7

/** The request of a merchant's portal at its `turn`, on the redemptions of `ledger.ts`. */
export function portalRequest(host: string, token: string, turn: number): string {
  const { method, path, body } = DEALT[(turn * STRIDE) % DEALT.length]!
  const { id } = voucherOf(turn)
  const headers: Record<string, string> = path.startsWith('/reporting/') ? { 'Login-Type': 'MERCHANT' } : {}
  return rawRequest({ host, method, path: path.replace(':id', id), token, headers, ...(body && { body: body(turn) }) })
}

/** Issues tokens like the server at `url` with these secrets. Without `sessionId`, a user's session has the user's id. */
export function tokenIssuer(url: string, secrets: Secrets): (userId: string, sessionId?: string) => Promise<string> {
  const settings = { publicUrl: url } as Settings
  const { issue } = accessTokens({ clock: { now: () => new Date() }, secrets, settings })
  return (userId, sessionId = userId) => issue({ userId, sessionId, jti: sessionId })
}
