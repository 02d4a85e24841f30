import { useSnapshot } from 'valtio/react'
import { isDown } from '../../domain/connectivity.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import type { MenuItem } from '../../ui/overlay/MenuPopup.tsx'

/** Whether our server cannot be reached now. What needs it is refused before the tap, with the reason (rule 14.6). */
export const useOffline = (): boolean => isDown(useSnapshot(connectivity).verdict)

/** Menu items that need the server: disabled while offline, with the reason (rule 14.6). */
export const needsConnection = (offline: boolean, items: readonly MenuItem[]): MenuItem[] =>
  offline ? items.map((item) => ({ ...item, disabled: true, hint: 'Needs a connection' })) : [...items]
