import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio/react'
import { installApp, installOffer, type InstallState } from '../../offline/update/installOffer.ts'
import { Button } from '../../ui/Button.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Panel, Stack } from '../../ui/Panel.tsx'

/** How to install the portal as an app. Not shown in the app itself. */
export function InstallPanel() {
  const { state } = useSnapshot(installOffer)
  if (state === 'installed') return null
  return (
    <Panel title="Install the portal">
      <Stack padded>
        <p>As an app it has its own window and icon, and the browser keeps its data longer.</p>
        {INSTALL_STEPS[state]}
      </Stack>
    </Panel>
  )
}

const INSTALL_STEPS: Record<Exclude<InstallState, 'installed'>, ReactNode> = {
  offered: (
    <div className="flex items-center gap-2">
      <Button icon={ICONS.download} onClick={() => void installApp()}>
        Install
      </Button>
    </div>
  ),
  ios: (
    <ol className="list-decimal pl-5">
      <li>Wait until nothing on this device waits to be sent. The app does not see what the browser keeps.</li>
      <li>Tap the Share button of Safari.</li>
      <li>Choose “Add to Home Screen”.</li>
      <li>Tap “Add”, open HRP Portal from the home screen, and log in.</li>
    </ol>
  ),
  none: <p className="text-muted">Open the browser’s menu and choose Install.</p>,
}
