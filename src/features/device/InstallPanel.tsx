import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio/react'
import { installApp, installOffer, type InstallState } from '../../offline/update/installOffer.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel } from '../../ui/Panel.tsx'

/** As an app the portal has a window and an icon of its own, and browsers keep its data longer. Absent in the app itself. */
export function InstallPanel() {
  const { state } = useSnapshot(installOffer)
  if (state === 'installed') return null
  return (
    <Panel title="Install the portal">
      <div className="pad stack">
        <p>As an app it has its own window and icon, and the browser keeps its data longer.</p>
        {INSTALL_STEPS[state]}
      </div>
    </Panel>
  )
}

const INSTALL_STEPS: Record<Exclude<InstallState, 'installed'>, ReactNode> = {
  offered: (
    <div className="row">
      <Button icon="download" onClick={() => void installApp()}>
        Install
      </Button>
    </div>
  ),
  ios: (
    <ol className="list-decimal pl-5">
      <li>Tap the Share button of Safari.</li>
      <li>Choose “Add to Home Screen”.</li>
      <li>Tap “Add”, then open HRP Portal from the home screen.</li>
    </ol>
  ),
  none: <p className="muted">If this browser can install it, its menu says so. It may be installed already.</p>,
}
