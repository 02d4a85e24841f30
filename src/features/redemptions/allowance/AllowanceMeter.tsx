import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../../api/call.ts'
import { useCurrentMinute } from '../../../blocks/cached/useCurrentMinute.ts'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { refreshReferenceList } from '../../../blocks/reference-lists/refreshReferenceList.ts'
import { askAllowance, type AllowanceRequest } from '../../../contract/redemptions/allowanceEndpoints.ts'
import { isDown } from '../../../domain/connectivity.ts'
import { allowanceLack, lookAtAllowance, meterOf, readAllowance } from '../../../offline/allowance/allowance.ts'
import { renewAllowance } from '../../../offline/allowance/renewAllowance.ts'
import { prepareProof, staleProofLists } from '../../../offline/allowance/voucherProof.ts'
import { connectivity } from '../../../offline/connectivity/connectivity.ts'
import { CLOCKS, tillDatabase } from '../../../offline/redemptions/openTill.ts'
import { useLiveQuery } from '../../../offline/storage/useLiveQuery.ts'
import { withLock } from '../../../offline/store/withLock.ts'
import { ICONS } from '../../../ui/icons.tsx'
import { Strip } from '../../../ui/Strip.tsx'
import { meterText } from './meterText.ts'

interface Props {
  branch: string
  /** How many vouchers were accepted without a check and are not uploaded. */
  atRisk: number
  /** Nobody is being served. */
  isShown: boolean
}

/** What this till may still accept without a check, while it has no connection. It keeps that up to date as long as the counter is open. */
export function AllowanceMeter({ branch, atRisk, isShown }: Props) {
  useRenewal(branch, atRisk)
  const offline = useOffline()
  const now = useCurrentMinute()
  const found = useLiveQuery(() => allowanceAt(branch), `allowance/${branch}`)
  // What is noted is read again above, so the meter follows the clock.
  useEffect(() => void lookAtAllowance(tillDatabase(), CLOCKS).catch(() => undefined), [now])
  if (!found?.meter || found.lack === 'none' || !offline || !isShown) return null
  const { meter, lack } = found
  return (
    <Strip icon={ICONS.ticket}>
      <b className="font-strong">At your shop’s risk: </b>
      <span>{lack === 'clock' || lack === 'ended' ? LACKS[lack] : `${meterText(meter)}.`}</span>
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
function useRenewal(branch: string, atRisk: number): void {
  const { returns } = useSnapshot(connectivity)
  const [dueAt, setDueAt] = useState(0)
  const renew = useEffectEvent(async (left: AbortSignal) => {
    const next = isDown(connectivity.verdict)
      ? undefined
      : await withLock('till-allowance', () => renewAllowance(PORTS)).catch(() => undefined)
    if (next !== undefined) await refreshProofLists().catch(() => undefined)
    if (!left.aborted) setDueAt(next ?? Date.now() + AGAIN_MS)
  })
  const renewAt = useEffectEvent((at: number) => {
    const left = new AbortController()
    const timer = setTimeout(() => void renew(left.signal), Math.max(at - Date.now(), SOON_MS))
    return () => {
      clearTimeout(timer)
      left.abort()
    }
  })
  useEffect(() => renewAt(0), [branch, returns, atRisk])
  useEffect(() => (dueAt === 0 ? undefined : renewAt(dueAt)), [dueAt])
}

const PORTS = {
  get database() {
    return tillDatabase()
  },
  wall: CLOCKS.wall,
  ask: (body: AllowanceRequest) => call(askAllowance, { body }).catch(() => undefined),
}

/**
 * What was used meanwhile, or signed by a key that was ended, must not be accepted. A till without a grant asks for neither list, and a grant
 * comes with each upload: what is not an hour old stays.
 */
async function refreshProofLists() {
  if (!(await readAllowance(tillDatabase())).granted) return
  const stale = await staleProofLists(Date.now())
  await Promise.all(stale.map((list) => refreshReferenceList('', list)))
  await prepareProof()
}
