import type { ReactNode } from 'react'
import { useSnapshot } from 'valtio/react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { lackMessages } from '../../blocks/devices/lackMessages.ts'
import { useReadiness } from '../../blocks/devices/Readiness.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { installApp, installOffer, type InstallState } from '../../offline/update/installOffer.ts'
import { chooseTheme, theme, THEMES } from '../../state/theme.ts'
import { Button } from '../../ui/Button.tsx'
import { RadioField } from '../../ui/form/RadioField.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Item, Panel, Split, Stack } from '../../ui/Panel.tsx'
import { AppPanel } from './AppPanel.tsx'
import { ReceiptPrinterPanel } from './ReceiptPrinterPanel.tsx'
import { ShiftCheckPanel } from './ShiftCheckPanel.tsx'
import { SoundsPanel } from './SoundsPanel.tsx'
import { ReferenceListsPanel, RemoveDataPanel, StoragePanel } from './StoredDataPanels.tsx'
import { TroublesPanel } from './TroublesPanel.tsx'
import { useWaitingOnDevice, WaitingPanel } from './WaitingPanel.tsx'

/** What is stored on this device and works offline. The page reads only the device, so it needs no connection. */
export function DevicePage() {
  usePageTitle('This device')
  const waiting = useWaitingOnDevice()
  const { type } = useUser()
  return (
    <>
      <PageHeader
        title="This device"
        note="What is stored here for working offline. Readable without a connection."
      />
      <Stack apart>
        <Split columns="even">
          <Stack apart>
            <ReadinessPanel />
            {type === 'POS User' && <ShiftCheckPanel />}
            <ReferenceListsPanel />
            <WaitingPanel {...waiting} />
            <TroublesPanel />
          </Stack>
          <Stack apart>
            <AppPanel />
            <ReceiptPrinterPanel />
            {type === 'POS User' && <SoundsPanel />}
            <ThemePanel />
            <StoragePanel />
            <InstallPanel />
            <RemoveDataPanel {...waiting} />
          </Stack>
        </Split>
      </Stack>
    </>
  )
}

/** What the pill in the header says, in whole sentences. */
function ReadinessPanel() {
  const lacks = useReadiness(useUser())
  return (
    <Panel title={lacks?.some(({ is }) => is !== 'persistence') ? 'Not all is ready for offline' : 'Ready offline'}>
      <ul>
        {lacks?.map((lack) => {
          const { short, long } = lackMessages(lack)
          return (
            <Item key={lack.is} mark={<Icon drawing={ICONS.alert} />}>
              <b className="font-strong">{short}</b>
              <p className="text-muted">{long}</p>
            </Item>
          )
        })}
        {lacks?.length === 0 && (
          <Item mark={<Icon drawing={ICONS.ok} />}>
            <b className="font-strong">Everything is here</b>
            <p className="text-muted">
              The portal, its lists and what you have opened open from this device, online or offline.
            </p>
          </Item>
        )}
      </ul>
    </Panel>
  )
}

/** For the counter too, which has no account menu. */
function ThemePanel() {
  const { chosen } = useSnapshot(theme)
  return (
    <Panel title="Theme">
      <div className="p-4">
        <RadioField label="Theme" labelHidden value={chosen} options={THEMES} onChange={chooseTheme} />
      </div>
    </Panel>
  )
}

/** How to install the portal as an app. Not shown in the app itself. */
function InstallPanel() {
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
  none: <p className="text-muted">If this browser can install it, its menu says so. It may be installed already.</p>,
}
