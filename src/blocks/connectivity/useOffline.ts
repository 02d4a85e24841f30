import { useSnapshot } from 'valtio/react'
import { isDown } from '../../domain/connectivity.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'

/** Whether our server cannot be reached now. What needs it is refused before the tap, with the reason (DESIGN §6). */
export const useOffline = (): boolean => isDown(useSnapshot(connectivity).verdict)
