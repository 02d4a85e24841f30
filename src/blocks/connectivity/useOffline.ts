import { useSnapshot } from 'valtio/react'
import { isDown } from '../../domain/connectivity.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'

/** True while our server cannot be reached. Actions that need it are disabled, with the reason (rule 14.6). */
export const useOffline = (): boolean => isDown(useSnapshot(connectivity).verdict)

/** Returns menu items that need the server: disabled while offline, with the reason (rule 14.6). */
export const needsConnection = (offline: boolean, items: readonly MenuItem[]): MenuItem[] =>
  offline ? items.map((item) => ({ ...item, disabled: true, hint: 'Needs a connection' })) : [...items]
