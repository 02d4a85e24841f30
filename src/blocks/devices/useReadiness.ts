import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import type { User } from '../../contract/accounts/user.ts'
import { readinessProblems, type ReadinessProblem } from '../../domain/devices/readiness.ts'
import { useListAges } from '../../offline/reads/useListAges.ts'
import { persistence, readPersistence, storageHealth, useShellCached } from '../../offline/storage/storageHealth.ts'
import type { ReferenceListKey } from '../../offline/store/referenceLists.ts'
import { appUpdate } from '../../offline/update/appUpdate.ts'
import { auth } from '../../state/auth.ts'
import { useCurrentMinute } from '../cached/useCurrentMinute.ts'
import { useStorageRefused } from './StorageNotice.tsx'

/** What this device lacks to work offline for `user`, live; undefined until all of it was read. */
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

/** `unknown`: this browser does not say before it is asked. */
export type CameraPermission = PermissionState | 'unknown'

/** What the browser would answer when the counter asks for the camera, followed while somebody changes it. */
export function useCameraPermission(): CameraPermission | undefined {
  const [permission, setPermission] = useState<CameraPermission>()
  useEffect(() => {
    const stop = new AbortController()
    askedOf().then(
      (status) => {
        if (stop.signal.aborted) return
        const follow = () => setPermission(status.state)
        follow()
        status.addEventListener('change', follow, { signal: stop.signal })
      },
      () => setPermission('unknown'),
    )
    return () => stop.abort()
  }, [])
  return permission
}

/** Not every browser has the question, and not every one that has it knows of cameras: both reject here. */
const askedOf = async () => navigator.permissions.query({ name: 'camera' as PermissionName })

/** What people call the lists that are stored for offline use. */
export const REFERENCE_LIST_LABELS: Record<ReferenceListKey, string> = {
  denominations: 'Denominations',
  productServiceCategories: 'Product and service categories',
  branches: 'Branches',
  masters: 'Masters',
  resources: 'Resources',
  support: 'Contact for help',
  posUsers: 'POS users',
  views: 'Saved views',
  voucherKeys: 'Keys of signed vouchers',
  spentVouchers: 'Spent vouchers',
}
