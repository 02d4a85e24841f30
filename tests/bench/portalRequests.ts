import { ledgerVoucher, ROWS } from './load/ledger.ts'
import { rawRequest } from './rawRequest.ts'

/** A question of a merchant's portal: how often of `total`, and what. */
interface Question {
  share: number
  method: 'GET' | 'POST'
  path: string
  body?: (turn: number) => object
}

const page = (given: object = {}) => ({ start: 0, limit: 10, ...given })
/** All over the ledger, for a page of the disk that was just read costs nothing. */
const voucherOf = (turn: number) => ledgerVoucher(1 + ((turn * 7_919) % ROWS))
const DAY_IN_LEDGER = '2026-10-15'

/** As the screens ask: tables and single vouchers most, then the dashboard, the bell, filters, and a preview now and then. */
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
/** Has no divisor with the number of questions, so that they come in turn and well mixed. */
const STRIDE = 7

/** What a merchant's portal asks in its `turn`, on the redemptions of `ledger.ts`. */
export function portalRequest(host: string, token: string, turn: number): string {
  const { method, path, body } = DEALT[(turn * STRIDE) % DEALT.length]!
  const { id } = voucherOf(turn)
  const headers: Record<string, string> = path.startsWith('/reporting/') ? { 'Login-Type': 'MERCHANT' } : {}
  return rawRequest({ host, method, path: path.replace(':id', id), token, headers, ...(body && { body: body(turn) }) })
}
