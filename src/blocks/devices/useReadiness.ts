import { useEffect } from 'react'
import { useSnapshot } from 'valtio/react'
import type { User } from '../../contract/accounts/account.ts'
import { type ReadinessProblem, readinessProblems } from '../../domain/readiness.ts'
import { appUpdate } from '../../offline/update/appUpdate.ts'
import { readPersistence, persistence } from '../../offline/page/persistence.ts'
import { storageHealth } from '../../offline/storage/storageHealth.ts'
import { useListAges } from '../../offline/reads/useListAges.ts'
import { useShellCached } from '../../offline/page/useShellKept.ts'
import { auth } from '../../state/auth.ts'
import { useCurrentMinute } from '../cached/useCurrentMinute.ts'
import { useStorageRefused } from '../useStorageRefused.ts'
import { REFERENCE_LIST_LABELS } from '../device/listNames.ts'
import { useCameraPermission } from '../device/useCameraPermission.ts'

/** What keeps this device from being ready to work offline for `user`, live; undefined until the device has been looked at. */
export function useReadiness(user: Pick<User, 'guid' | 'type' | 'status'>): ReadinessProblem[] | undefined {
  const { permissions, clock_offset_ms } = useSnapshot(auth)
  const { trouble } = useSnapshot(storageHealth)
  const { granted } = useSnapshot(persistence)
  const { phase } = useSnapshot(appUpdate)
  const isClosed = useStorageRefused()
  const shellKept = useShellCached()
  const ages = useListAges(user.guid, { ...user, permissions })
  const camera = useCameraPermission()
  const now = useCurrentMinute()
  useEffect(() => void readPersistence(), [])

  if (shellKept === undefined || granted === undefined || camera === undefined || (!ages && !isClosed)) return undefined
  return readinessProblems({
    now: now.getTime(),
    shellKept,
    storage: isClosed ? 'nothing' : trouble === 'full' ? 'full' : 'open',
    lists: (ages ?? []).map(({ key, asOf }) => ({ name: REFERENCE_LIST_LABELS[key], asOf })),
    persistent: granted,
    clockOffMs: clock_offset_ms,
    // Only the counter scans.
    cameraDenied: user.type === 'POS User' && camera === 'denied',
    updateWaits: phase !== 'none',
  })
}
