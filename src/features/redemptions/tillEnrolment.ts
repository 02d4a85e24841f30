import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { useSnapshot } from 'valtio/react'
import { call } from '../../api/call.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { toFormFailure } from '../../blocks/record/toFormFailure.ts'
import { enrolDevice, type EnrolledTill, readTill } from '../../contract/devices/enrolment.ts'
import type { Till } from '../../contract/redemptions/counter.ts'
import { requestPersistence } from '../../offline/storage/storageHealth.ts'
import { putOffCode, tillDevice, noteEnrolment, storeTillName } from '../../state/counter.ts'
import { useToday } from './useTillRows.ts'

/** The reason why a device is not an enrolled till. */
type EnrolmentProblem = 'revoked' | 'not enrolled'

/**
 * Returns why this device is not an enrolled till of `branch`. Asks the server, unless the device knows that it is enrolled.
 * Returns undefined without an answer, or if a cashier has put the code off for today.
 */
export function useEnrolmentProblem(branch: string): EnrolmentProblem | undefined {
  const { guid, names, enrolled, codeLater } = useSnapshot(tillDevice)
  const offline = useOffline()
  const today = useToday()
  const [problem, setProblem] = useState<EnrolmentProblem>()
  const isNamed = names[branch] !== undefined
  const isQuiet = isNamed && (enrolled.includes(branch) || codeLater === today)
  const shouldAsk = !isQuiet && !offline
  useEffect(() => {
    if (!shouldAsk) return undefined
    const ending = new AbortController()
    call(readTill, { params: { id: guid }, signal: ending.signal }).then(
      (till) => {
        if (till?.revoked) return setProblem('revoked')
        if (!till?.enrolled) return setProblem('not enrolled')
        noteEnrolment(till.branch_guid)
        return storeTillName(till.branch_guid, till.name)
      },
      () => undefined,
    )
    return () => ending.abort()
  }, [guid, shouldAsk, isNamed])
  return isQuiet ? undefined : problem
}

/** Makes this device a till with the manager's code. With a `branch`, only a code of that branch works. */
export async function enrol(id: string, code: string, branch?: string): Promise<EnrolledTill> {
  const body = { code, ...(branch === undefined ? {} : { branch_guid: branch }) }
  const till = await call(enrolDevice, { params: { id }, body })
  noteEnrolment(till.branch_guid)
  return till
}

/** Makes this device a till by `ask`, and stores the name in the answer. Returns the failure for the form, if any. */
export async function becomeTill<T extends Till>(ask: () => Promise<T>, onTill: (till: T) => void) {
  try {
    const till = await ask()
    // Not awaited: Firefox asks the user and resolves only after the answer.
    void requestPersistence()
    // `onTill` is drawn first: once the device has a name, the counter replaces this form.
    flushSync(() => onTill(till))
    storeTillName(till.branch_guid, till.name)
    return undefined
  } catch (error) {
    return toFormFailure(error)
  }
}

/** Returns a function that stops asking for a code on this device today. */
export function usePostponeCode(): () => void {
  const today = useToday()
  return () => putOffCode(today)
}
