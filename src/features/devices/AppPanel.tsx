import { useSnapshot } from 'valtio/react'
import { useCameraPermission } from '../../blocks/device/useCameraPermission.ts'
import { connectivityTitle } from '../../blocks/connectivity/connectivityTitle.ts'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { appUpdate } from '../../offline/update/appUpdate.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { auth } from '../../state/auth.ts'
import { type Fact, Facts } from '../../ui/Facts.tsx'
import { Panel } from '../../ui/Panel.tsx'
import { CAMERA_LABELS, clockLabel, WORKER_LABELS } from '../device/deviceWords.ts'
import { UpdateCheck } from '../device/UpdateCheck.tsx'
import { useWorkerState } from '../device/useWorkerState.ts'

/** The portal on this device: which build, what serves it, how it stands with the server. */
export function AppPanel() {
  const { type } = useUser()
  const { lastCheckedAt } = useSnapshot(appUpdate)
  const line = useSnapshot(connectivity)
  const { clock_offset_ms } = useSnapshot(auth)
  const worker = useWorkerState()
  const camera = useCameraPermission()
  const now = useCurrentMinute()
  const at = (time: number | undefined, never: string) => (time ? formatAsOf(new Date(time), now) : never)
  const facts: Fact[] = [
    ['Version', document.documentElement.dataset['build'] ?? 'unknown'],
    ['Newer version', <UpdateCheck key="check" />],
    ['Last looked', at(lastCheckedAt, 'Not since this page was opened')],
    ['Starts from', WORKER_LABELS[worker]],
    ['Connection', connectivityTitle(line)],
    ['Server last answered', at(line.lastContactAt, 'Not on this device yet')],
    ['Clock', clockLabel(clock_offset_ms)],
    ...(type === 'POS User' && camera ? ([['Camera', CAMERA_LABELS[camera]]] as const) : []),
  ]
  return (
    <Panel title="The portal">
      <Facts facts={facts} />
    </Panel>
  )
}
