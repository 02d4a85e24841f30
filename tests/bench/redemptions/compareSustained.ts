import { asked, row, type Comparison } from '../comparison.ts'
import { withServer } from '../load/benchDatabase.ts'
import { countersAndLedger } from '../load/ledger.ts'
import { failures, steadyLoad } from '../load/loads.ts'
import { tillRequests } from '../load/requests.ts'
import { p99Of } from '../measure.ts'

const TILLS = 64
const PER_SECOND = 100

/** Redeems held vouchers at a constant rate for `seconds`: none fails, and none takes long (rule 18.7). */
export const compareSustained = ({ seconds }: { seconds: number }): Promise<Comparison[]> =>
  withServer(countersAndLedger({ tills: TILLS, vouchers: PER_SECOND * seconds }), async (server, { secrets }) => {
    let voucher = 0
    // Each voucher is on hold at till `n` modulo `TILLS`; the rate does not wait for answers.
    const requests = async () => {
      const till = await tillRequests(server.url, secrets, TILLS)
      return () => ({ kind: 'redeem', text: till.redeem(voucher++) })
    }
    const answered = await steadyLoad({ address: server, perSecond: PER_SECOND, seconds, requests })
    const what = `${PER_SECOND} redemptions a second for ${seconds} s`
    const p99 = p99Of(answered.map(({ ms }) => ms))
    return [row(`${what}: p99`, p99, asked('18.7', 250, 'ms'), '≤ 1.00'), failures(`${what}: not redeemed`, answered)]
  })
