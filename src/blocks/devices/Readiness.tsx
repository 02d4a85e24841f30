import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import type { User } from '../../contract/accounts/user.ts'
import { readinessProblems, type ReadinessProblem } from '../../domain/devices/readiness.ts'
import { useListAges, type ListAge } from '../../offline/reads/useListAges.ts'
import {
  persistence,
  readPersistence,
  storageHealth,
  unsent,
  useShellCached,
} from '../../offline/storage/storageHealth.ts'
import type { ReferenceListKey } from '../../offline/store/referenceLists.ts'
import { appUpdate } from '../../offline/update/appUpdate.ts'
import { auth } from '../../state/auth.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { useCurrentMinute } from '../cached/useCurrentMinute.ts'
import { lackMessages } from './lackMessages.ts'
import { useStorageRefused } from './StorageNotice.tsx'

/** Lists what this device lacks to work offline for `user`, live; undefined until everything is read. */
export function useReadiness(user: Pick<User, 'guid' | 'type' | 'status'>): ReadinessProblem[] | undefined {
  const { clock_offset_ms } = useSnapshot(auth)
  const { trouble } = useSnapshot(storageHealth)
  const { granted } = useSnapshot(persistence)
  const { phase } = useSnapshot(appUpdate)
  const { count } = useSnapshot(unsent)
  const isClosed = useStorageRefused()
  const shellKept = useShellCached()
  const ages = useMyListAges(user)
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
    unsent: count,
    clockOffMs: clock_offset_ms,
    // Only the counter scans.
    cameraDenied: user.type === 'POS User' && camera === 'denied',
    updateWaits: phase !== 'none',
  })
}

/** Returns the age of each list that this person may see and needs. */
export function useMyListAges(user: Pick<User, 'guid' | 'type' | 'status'>): ListAge[] | undefined {
  const { permissions } = useSnapshot(auth)
  return useListAges(user.guid, { ...user, permissions })
}

/** `unknown`: this browser does not report the permission before it asks the person. */
type CameraPermission = PermissionState | 'unknown'

/** Returns the current permission for the camera, and follows its changes. */
function useCameraPermission(): CameraPermission | undefined {
  const [permission, setPermission] = useState<CameraPermission>()
  useEffect(() => {
    const stop = new AbortController()
    queryCamera().then(
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

/** Asks the browser for its camera permission. Rejects if the browser lacks the query, or the query does not know cameras. */
const queryCamera = async () => navigator.permissions.query({ name: 'camera' as PermissionName })

/** The names on the screen of the lists that are stored for offline use. */
export const REFERENCE_LIST_LABELS: Record<ReferenceListKey, string> = {
  denominations: 'Denominations',
  productServiceCategories: 'Product and service categories',
  branches: 'Branches',
  masters: 'Masters',
  support: 'Contact for help',
  posUsers: 'POS users',
  voucherKeys: 'Keys of signed vouchers',
  spentVouchers: 'Vouchers that may have been used',
}

/** Says that this device is ready to work offline, or names the worst problem and the number of others. Links to the page that corrects it. */
export function ReadinessPill({ user }: { user: User }) {
  const lacks = useReadiness(user)
  if (!lacks) return null
  const [worst, ...more] = lacks
  const text = worst ? lackMessages(worst).short : 'Ready offline'
  const shown = more.length > 0 ? `${text} +${more.length}` : text
  return (
    <Link
      to="/settings/device"
      className={`flex min-h-control items-center gap-1 rounded-pill pr-3 pl-2 whitespace-nowrap no-underline hover:bg-surface-hover phone:min-h-[2.75rem] phone:min-w-[2.75rem] phone:justify-center phone:p-0 ${worst ? 'font-label text-warn-text' : 'text-muted'}`}
      aria-label={`This device: ${shown}${more.length > 0 ? ' more' : ''}`}
    >
      <Icon drawing={worst ? ICONS.alert : ICONS.ok} />
      <span className="phone:hidden">{shown}</span>
    </Link>
  )
}
