import { subscribeKey } from 'valtio/vanilla/utils'
import { isDown } from '../../domain/connectivity.ts'
import { connectivity } from '../connectivity/connectivity.ts'
import { DEVICE_CLOCKS, tillDatabase } from '../redemptions/openTill.ts'
import { unsent } from '../storage/storageHealth.ts'
import { withLock } from '../store/withLock.ts'
import { checkAllowanceClock, readAllowance, renewAllowance, type RenewalPorts } from './allowance.ts'
import { prepareProof, staleProofLists, type ProofList } from './voucherProof.ts'

interface FreshnessPorts extends Pick<RenewalPorts, 'ask'> {
  /** Fetches a list from the server and stores it. */
  refresh: (list: ProofList) => Promise<unknown>
}

const SOON_MS = 1_000
const MINUTE_MS = 60_000

/**
 * Keeps the allowance of this till up to date while its counter is open. It asks the server at once. It asks again when the
 * connection returns, when the amount at risk changes, and when a third of the grant's time is over. Returns a function that stops
 * this.
 */
export function keepAllowanceFresh(ports: FreshnessPorts): () => void {
  let timer: ReturnType<typeof setTimeout>
  let isOver = false
  /** True if a renewal was requested while another one was running. */
  let isRequested = false
  const renewIn = (ms: number) => {
    clearTimeout(timer)
    if (!isOver) timer = setTimeout(() => void renew(), Math.max(ms, SOON_MS))
  }
  const renew = async () => {
    isRequested = false
    const next = isDown(connectivity.verdict) ? undefined : await renewOnce(ports).catch(() => undefined)
    if (!isRequested) renewIn(next === undefined ? MINUTE_MS : next - Date.now())
  }
  const renewSoon = () => {
    isRequested = true
    renewIn(SOON_MS)
  }
  // The latest time must be on the disk, because only that shows that the clock was turned back since (rule 9.28).
  const checkClock = () => void checkAllowanceClock(tillDatabase(), DEVICE_CLOCKS).catch(() => undefined)
  const clockTimer = setInterval(checkClock, MINUTE_MS)
  const unsubscribes = [
    subscribeKey(connectivity, 'returns', renewSoon),
    subscribeKey(unsent, 'atRiskCents', renewSoon),
  ]
  checkClock()
  renewSoon()
  return () => {
    isOver = true
    clearTimeout(timer)
    clearInterval(clockTimer)
    for (const unsubscribe of unsubscribes) unsubscribe()
  }
}

/**
 * Renews the grant, then the lists that prove vouchers, because a voucher that is spent or signed by an ended key must not be
 * accepted. A till without a grant fetches no list. Each upload renews the grant, so lists younger than an hour are not fetched.
 */
async function renewOnce({ ask, refresh }: FreshnessPorts): Promise<number> {
  const ports = { database: tillDatabase(), wall: DEVICE_CLOCKS.wall, ask }
  const next = await withLock('till-allowance', () => renewAllowance(ports))
  if ((await readAllowance(ports.database)).granted) {
    const stale = await staleProofLists(Date.now())
    await Promise.all([prepareProof(), ...stale.map(refresh)]).catch(() => undefined)
  }
  return next
}
