import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSnapshot } from 'valtio/react'
import { call } from '../../api/call.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import { readTill } from '../../contract/devices/enrolment.ts'
import type { Till } from '../../contract/redemptions/counter.ts'
import { requestPersistence } from '../../offline/storage/storageHealth.ts'
import { putOffCode, tillDevice, noteEnrolment, storeTillName } from '../../state/counter.ts'
import { useToday } from './useTillRows.ts'

/** The reason why a device is not an enrolled till. */
type KnownTill = 'revoked' | 'not enrolled'

/**
 * Asks the server about this device at `branch` if the device does not know that it is enrolled: it may have been moved here.
 * Undefined without an answer, and for a cashier who has put the question off today.
 */
export function useKnownTill(branch: string): KnownTill | undefined {
  const { guid, names, enrolled, codeLater } = useSnapshot(tillDevice)
  const offline = useOffline()
  const today = useToday()
  const [known, setKnown] = useState<KnownTill>()
  const isNamed = names[branch] !== undefined
  const isQuiet = isNamed && (enrolled.includes(branch) || codeLater === today)
  const asks = !isQuiet && !offline
  useEffect(() => {
    if (!asks) return undefined
    const left = new AbortController()
    call(readTill, { params: { id: guid }, signal: left.signal }).then(
      (till) => {
        if (till?.revoked) return setKnown('revoked')
        if (!till?.enrolled) return setKnown('not enrolled')
        noteEnrolment(till.branch_guid)
        return storeTillName(till.branch_guid, till.name)
      },
      () => undefined,
    )
    return () => left.abort()
  }, [guid, asks, isNamed])
  return isQuiet ? undefined : known
}

/** Asks the server to make this device a till, and uses the name in its answer. For a form. */
export async function becomeTill(ask: () => Promise<Till>, onTill: (till: Till) => void) {
  try {
    const till = await ask()
    // Not awaited: Firefox resolves only after the user has answered.
    void requestPersistence()
    // Drawn first: once the device has a name it shows the counter.
    flushSync(() => onTill(till))
    storeTillName(till.branch_guid, till.name)
    return undefined
  } catch (error) {
    return toFormFailure(error)
  }
}

/** The cashier has no code: no cashier is asked again today. */
export function usePostponeCode(): () => void {
  const today = useToday()
  return () => putOffCode(today)
}
