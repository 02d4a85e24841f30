import { startServer } from '../../support/server/serverProcess.ts'
import type { Comparison } from '../comparison.ts'
import { startBenchDatabase } from '../load/benchDatabase.ts'
import { rateOf } from '../rate.ts'
import { redeemSteadily } from './redemptionLoad.ts'

/** What is asked (rule 18.7). */
const ASKED = { perSecond: 100, p99Ms: 250 }
const TILLS = 64

/** Redemptions of held vouchers at a steady rate, for as long as is asked: none fails, and none takes long. */
export async function compareSustained({ seconds }: { seconds: number }): Promise<Comparison[]> {
  const place = await startBenchDatabase({ tills: TILLS, vouchers: ASKED.perSecond * seconds })
  const server = await startServer(place.env)
  try {
    const rate = { tills: TILLS, perSecond: ASKED.perSecond, seconds }
    const answered = await redeemSteadily(server, place.secrets, rate)
    const what = `${ASKED.perSecond} redemptions a second for ${seconds} s`
    const against = 'what is asked (rule 18.7)'
    const failed = answered.filter(({ status }) => status !== '200')
    const { p99 } = rateOf(
      answered.map(({ ms }) => ms),
      seconds,
    )
    return [
      { what: `${what}: p99`, product: p99, baseline: ASKED.p99Ms, unit: 'ms', against, goal: '≤ 1.00' },
      {
        what: `${what}: not redeemed`,
        product: failed.length,
        baseline: answered.length,
        unit: 'requests',
        against,
        goal: '= 0.00',
      },
    ]
  } finally {
    await server.stop()
    await place.remove()
  }
}
