import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../../api/call.ts'
import { useCurrentMinute } from '../../../blocks/cached/useCurrentMinute.ts'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { refreshReferenceList } from '../../../blocks/reference-lists/refreshReferenceList.ts'
import { askAllowance, type AllowanceRequest } from '../../../contract/redemptions/allowanceEndpoints.ts'
import { voucherKeys } from '../../../contract/redemptions/signedVouchers.ts'
import { isDown } from '../../../domain/connectivity.ts'
import { connectivity } from '../../../offline/connectivity/connectivity.ts'
import { allowanceLack, meterOf, noteClock, readAllowance, type Meter } from '../../../offline/redemptions/allowance.ts'
import { tillDatabase } from '../../../offline/redemptions/openTill.ts'
import { renewAllowance } from '../../../offline/redemptions/renewAllowance.ts'
import { prepareProof, staleProofLists, verifySigned } from '../../../offline/redemptions/voucherProof.ts'
import { useLiveQuery } from '../../../offline/storage/useLiveQuery.ts'
import { storePublicList } from '../../../offline/store/storeReferenceList.ts'
import { withLock } from '../../../offline/store/withLock.ts'
import { ICONS } from '../../../ui/icons.tsx'
import { Strip } from '../../../ui/Strip.tsx'

interface Props {
  till: string
  branch: string
  /** How many vouchers were accepted without a check and are not uploaded. */
  atRisk: number
  /** Nobody is being served. */
  isShown: boolean
  /** Given, for this is in a file of its own: the counter has the words already. */
  words: (meter: Meter) => string
}

/** What this till may still accept without a check, while it has no connection. It keeps that up to date as long as the counter is open. */
export function AllowanceMeter({ till, branch, atRisk, isShown, words }: Props) {
  useRenewal(till, branch, atRisk)
  const offline = useOffline()
  const now = useCurrentMinute()
  const found = useLiveQuery(() => allowanceAt(branch), `allowance/${branch}`)
  // What is noted is read again above, so the meter follows the clock.
  useEffect(() => void noteClock(tillDatabase(), now.getTime()).catch(() => undefined), [now])
  if (!found?.meter || found.lack === 'none' || !offline || !isShown) return null
  const { meter, lack } = found
  return (
    <Strip icon={ICONS.ticket}>
      <b className="font-strong">At your shop’s risk: </b>
      <span>{lack === 'clock' || lack === 'ended' ? LACKS[lack] : `${words(meter)}.`}</span>
    </Strip>
  )
}

const LACKS = {
  clock: 'nothing, for the clock of this device was changed.',
  ended: 'nothing more until the connection is back.',
} as const

async function allowanceAt(branch: string) {
  const allowance = await readAllowance(tillDatabase())
  return { meter: meterOf(allowance), lack: allowanceLack(allowance, branch, Date.now()) }
}

const SOON_MS = 1_000
const AGAIN_MS = 60_000

/** Asks when the counter opens, the connection returns or accepted vouchers have gone up, and when a third of the time is over. */
function useRenewal(till: string, branch: string, atRisk: number): void {
  const { returns } = useSnapshot(connectivity)
  const [dueAt, setDueAt] = useState(0)
  const renew = useEffectEvent(async (left: AbortSignal) => {
    const next = isDown(connectivity.verdict)
      ? undefined
      : await withLock('till-allowance', () => renewAllowance(PORTS, { till, branch })).catch(() => undefined)
    if (next !== undefined) await refreshProofLists().catch(() => undefined)
    if (!left.aborted) setDueAt(next ?? Date.now() + AGAIN_MS)
  })
  useEffect(() => {
    const left = new AbortController()
    const timer = setTimeout(() => void renew(left.signal), SOON_MS)
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [till, branch, returns, atRisk])
  useEffect(() => {
    if (dueAt === 0) return undefined
    const left = new AbortController()
    const timer = setTimeout(() => void renew(left.signal), Math.max(dueAt - Date.now(), SOON_MS))
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  }, [dueAt])
}

const PORTS = {
  get database() {
    return tillDatabase()
  },
  wall: () => Date.now(),
  ask: (body: AllowanceRequest) => call(askAllowance, { body }).catch(() => undefined),
  verify: verifyGrant,
}

/**
 * The first grant comes before the keys, and a key may have been made since they were asked for. Stored here: the worker, which stores the
 * answer otherwise, may come too late for the second look.
 */
async function verifyGrant(...grant: Parameters<typeof verifySigned>) {
  const first = await verifySigned(...grant)
  if (first !== 'unknown key') return first
  await storePublicList('voucherKeys', await call(voucherKeys), Date.now())
  return verifySigned(...grant)
}

/**
 * What was used meanwhile, or signed by a key that was ended, must not be accepted. A till without a grant asks for neither list, and a grant
 * comes with each upload: what is not an hour old stays.
 */
async function refreshProofLists() {
  if (!(await readAllowance(tillDatabase())).granted) return
  const stale = await staleProofLists(Date.now())
  await Promise.all(stale.map((list) => refreshReferenceList('', list)))
  await prepareProof(Date.now())
}
