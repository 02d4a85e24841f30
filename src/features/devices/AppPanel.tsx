import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { connectivityTitle } from '../../blocks/connectivity/connectivityTitle.ts'
import { useCameraPermission, type CameraPermission } from '../../blocks/devices/Readiness.tsx'
import { clockOffLabel, isClockOff } from '../../domain/devices/readiness.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { appUpdate, checkForUpdate, type UpdateCheck as Outcome } from '../../offline/update/appUpdate.ts'
import { auth } from '../../state/auth.ts'
import { Button } from '../../ui/Button.tsx'
import { Facts, Panel, type Fact } from '../../ui/Panel.tsx'

/** The portal on this device: its build, where it starts from, and the connection to the server. */
export function AppPanel() {
  const { type } = useUser()
  const { lastCheckedAt } = useSnapshot(appUpdate)
  const connection = useSnapshot(connectivity)
  const { clock_offset_ms } = useSnapshot(auth)
  const worker = useWorkerState()
  const camera = useCameraPermission()
  const now = useCurrentMinute()
  const at = (time: number | undefined, never: string) => (time ? formatAsOf(new Date(time), now) : never)
  const facts: Fact[] = [
    ['Version', document.documentElement.dataset['build'] ?? 'unknown'],
    ['Newer version', <UpdateCheck key="check" />],
    ['Last checked', at(lastCheckedAt, 'Not yet')],
    ['Opens from', WORKER_LABELS[worker]],
    ['Connection', connectivityTitle(connection)],
    ['Server last answered', at(connection.lastContactAt, 'Not on this device yet')],
    ['Clock', clockLabel(clock_offset_ms)],
    ...(type === 'POS User' && camera ? ([['Camera', CAMERA_LABELS[camera]]] as const) : []),
  ]
  return (
    <Panel title="The portal">
      <Facts facts={facts} />
    </Panel>
  )
}

const UPDATE_MESSAGES: Record<Outcome, string> = {
  current: 'This is the newest version.',
  available: 'A new version is on this device.',
  unreachable: 'The server could not be reached.',
}

/** Looks for a newer build. Once there is one, the list of what is missing has the button that updates to it. */
function UpdateCheck() {
  const { phase } = useSnapshot(appUpdate)
  const [busy, setBusy] = useState(false)
  const [found, setFound] = useState<Outcome>()
  const check = async () => {
    setBusy(true)
    setFound(await checkForUpdate())
    setBusy(false)
  }
  const outcome = phase === 'none' ? found : 'available'
  return (
    <>
      <Button busy={busy} onClick={() => void check()}>
        Check now
      </Button>
      <p role="status" className="text-muted">
        {outcome && UPDATE_MESSAGES[outcome]}
      </p>
    </>
  )
}

const WORKER_LABELS: Record<WorkerState, string> = {
  serves: 'This device',
  'first visit': 'The server. It is being stored on this device.',
  none: 'The server',
}

const CAMERA_LABELS: Record<CameraPermission, string> = {
  granted: 'Allowed',
  prompt: 'Asked at the first scan',
  denied: 'Blocked in the browser’s site settings',
  unknown: 'This browser does not say',
}

/** `offMs`: the server's clock minus this device's. */
function clockLabel(offMs: number): string {
  return isClockOff(offMs) ? `${clockOffLabel(offMs)}: correct it in the device’s settings` : 'Correct'
}

/** `none`: the portal is loaded from the server each time. `first visit`: it is being stored on the device. */
type WorkerState = 'serves' | 'first visit' | 'none'

/** What the service worker does for this page, kept up to date. */
function useWorkerState(): WorkerState {
  const [state, setState] = useState<WorkerState>('none')
  useEffect(() => {
    const worker = navigator.serviceWorker
    if (!worker) return
    const read = async () => {
      if (worker.controller) return setState('serves')
      setState((await worker.getRegistration().catch(() => undefined)) ? 'first visit' : 'none')
    }
    const onChange = () => void read()
    onChange()
    worker.addEventListener('controllerchange', onChange)
    return () => worker.removeEventListener('controllerchange', onChange)
  }, [])
  return state
}
