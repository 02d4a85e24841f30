import { subscribeKey } from 'valtio/vanilla/utils'
import { isDown } from '../../domain/connectivity.ts'
import { connectivity } from '../connectivity/connectivity.ts'
import { DEVICE_CLOCKS, tillDatabase } from '../redemptions/openTill.ts'
import { unsent } from '../storage/storageHealth.ts'
import { withLock } from '../store/withLock.ts'
import { checkAllowanceClock, readAllowance, renewAllowance, type RenewalPorts } from './allowance.ts'
import { prepareProof, staleProofLists, type ProofList } from './voucherProof.ts'

interface KeepingPorts extends Pick<RenewalPorts, 'ask'> {
  /** Fetches a list from the server and stores it. */
  refresh: (list: ProofList) => Promise<unknown>
}

const SOON_MS = 1_000
const MINUTE_MS = 60_000

/**
 * Keeps the allowance of this till up to date while its counter is open: asks at once, when the connection returns or the amount of
 * accepted vouchers that wait changes, and when a third of the grant's time is over. Returns the function that ends it.
 */
export function keepAllowanceFresh(ports: KeepingPorts): () => void {
  let timer: ReturnType<typeof setTimeout>
  let isOver = false
  /** A renewal was asked for while another one was under way. */
  let isAsked = false
  const renewIn = (ms: number) => {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(() => void renew(), Math.max(ms, SOON_MS))
  }
  const renew = async () => {
    isAsked = false
    const next = isDown(connectivity.verdict) ? undefined : await renewOnce(ports).catch(() => undefined)
    if (!isAsked) renewIn(next === undefined ? MINUTE_MS : next - Date.now())
  }
  const soon = () => {
    isAsked = true
    renewIn(SOON_MS)
  }
  // The time of the clock must be on the disk before the clock is turned back (rule 9.28).
  const look = () => void checkAllowanceClock(tillDatabase(), DEVICE_CLOCKS).catch(() => undefined)
  const looking = setInterval(look, MINUTE_MS)
  const ends = [subscribeKey(connectivity, 'returns', soon), subscribeKey(unsent, 'atRiskCents', soon)]
  look()
  soon()
  return () => {
    isOver = true
    clearTimeout(timer)
    clearInterval(looking)
    for (const end of ends) end()
  }
}

/**
 * Renews the grant, then old lists: a voucher that was used meanwhile or signed by an ended key must not be accepted. A till
 * without a grant fetches neither list. A grant comes with each upload, so a list younger than an hour is not fetched again.
 */
async function renewOnce({ ask, refresh }: KeepingPorts): Promise<number> {
  const ports = { database: tillDatabase(), wall: DEVICE_CLOCKS.wall, ask }
  const next = await withLock('till-allowance', () => renewAllowance(ports))
  if ((await readAllowance(ports.database)).granted) {
    const stale = await staleProofLists(Date.now())
    await Promise.all([prepareProof(), ...stale.map(refresh)]).catch(() => undefined)
  }
  return next
}
