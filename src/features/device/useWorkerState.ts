import { useEffect, useState } from 'react'

/** `none`: the portal comes over the line each time; `first visit`: it is being put on the device. */
export type WorkerState = 'serves' | 'first visit' | 'none'

/** What the worker of this page does, followed while it changes. */
export function useWorkerState(): WorkerState {
  const [state, setState] = useState<WorkerState>('none')
  useEffect(() => {
    const worker = navigator.serviceWorker
    if (!worker) return
    const look = async () => {
      if (worker.controller) return setState('serves')
      setState((await worker.getRegistration().catch(() => undefined)) ? 'first visit' : 'none')
    }
    const again = () => void look()
    again()
    worker.addEventListener('controllerchange', again)
    return () => worker.removeEventListener('controllerchange', again)
  }, [])
  return state
}
