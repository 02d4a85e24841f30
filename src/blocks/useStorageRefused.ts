import { useSnapshot } from 'valtio/react'
import { storageHealth } from '../offline/storage/storageHealth.ts'

/** Whether nothing can be queued or kept now: this browser stores nothing, as some private windows, or its storage does not open. */
export function useStorageRefused(): boolean {
  const { trouble } = useSnapshot(storageHealth)
  return trouble !== 'none' && trouble !== 'full'
}
