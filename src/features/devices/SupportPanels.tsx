import { useEffect, useId, useState, type ReactNode } from 'react'
import { useSnapshot } from 'valtio/react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { clearedWhen } from '../../blocks/devices/lackMessages.ts'
import { REFERENCE_LIST_LABELS, useMyListAges } from '../../blocks/devices/Readiness.tsx'
import type { Trouble } from '../../contract/devices/troubles.ts'
import { isOldList } from '../../domain/devices/readiness.ts'
import { formatBytes } from '../../domain/quantities.ts'
import { formatAsOf, formatInstant } from '../../domain/singaporeTime.ts'
import { removeStoredData } from '../../offline/removeStoredData.ts'
import { persistence } from '../../offline/storage/storageHealth.ts'
import { appUpdate, checkForUpdate, type UpdateCheck as Outcome } from '../../offline/update/appUpdate.ts'
import { installApp, installOffer, type InstallState } from '../../offline/update/installOffer.ts'
import { confirm } from '../../state/dialogs.ts'
import { showToast } from '../../state/toasts.ts'
import { troubles } from '../../state/troubles.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Facts, Item, Panel, Split, Stack } from '../../ui/Panel.tsx'
import { ProtectData, RefreshButton } from './ReadyPanel.tsx'
import type { WaitingOnDevice } from './WaitingPanel.tsx'

/** Shows the facts that support asks for. The problems of this device are in ReadyPanel instead. */
export const SupportPanels = ({ waiting }: { waiting: WaitingOnDevice }) => (
  <Split columns="even">
    <Stack apart>
      <AppPanel />
      <InstallPanel />
    </Stack>
    <Stack apart>
      <ReferenceListsPanel />
      <TroublesPanel />
      <RemoveDataPanel {...waiting} />
    </Stack>
  </Split>
)

/** Shows the running build and the storage that it uses. */
function AppPanel() {
  const used = useStorageUsed()
  return (
    <Panel title="The portal">
      <Facts
        facts={[
          ['Version', document.documentElement.dataset['build'] ?? 'unknown'],
          ['Newer version', <UpdateCheck key="check" />],
          ['Storage used', used ?? 'This browser does not say'],
          ['Protected from deletion', <Persistence key="persistence" />],
        ]}
      />
    </Panel>
  )
}

const UPDATE_MESSAGES: Record<Outcome, string> = {
  current: 'This is the newest version.',
  available: 'A new version is on this device.',
  unreachable: 'The server could not be reached.',
}

/** Checks for a newer build. If there is one, ReadyPanel has the button to update. */
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

function Persistence() {
  const { granted } = useSnapshot(persistence)
  if (granted) return <span>Yes. The browser does not delete offline data.</span>
  return (
    <div className="grid gap-2">
      <p>{`No. ${clearedWhen()}`}</p>
      <ProtectData />
    </div>
  )
}

/** Returns the used storage as text, by the browser's estimate. Undefined if the browser gives none. */
function useStorageUsed(): string | undefined {
  const [used, setUsed] = useState<string>()
  useEffect(() => {
    const read = async () => {
      const { usage, quota } = (await navigator.storage?.estimate?.()) ?? {}
      if (usage !== undefined && quota !== undefined) setUsed(`${formatBytes(usage)} of ${formatBytes(quota)}`)
    }
    void read().catch(() => undefined)
  }, [])
  return used
}

/** Says how to install the portal as an app. Hidden in the app itself. */
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
      <li>Wait until this device has sent everything. The app does not see what the browser keeps.</li>
      <li>Tap the Share button of Safari.</li>
      <li>Choose “Add to Home Screen”.</li>
      <li>Tap “Add”, open HRP Portal from the home screen, and log in.</li>
    </ol>
  ),
  none: <p className="text-muted">Open the browser’s menu and choose Install.</p>,
}

/** Shows the lists that forms and filters need offline, each with its age. */
function ReferenceListsPanel() {
  const ages = useMyListAges(useUser())
  const now = useCurrentMinute()
  if (!ages || ages.length === 0) return null
  return (
    <Panel title="Lists for offline" action={<RefreshButton ages={ages} />}>
      <Facts facts={ages.map(({ key, asOf }) => [REFERENCE_LIST_LABELS[key], listAgeText(asOf, now)])} />
    </Panel>
  )
}

function listAgeText(asOf: number | undefined, now: Date): string {
  if (asOf === undefined) return 'Not on this device yet'
  return `As of ${formatAsOf(new Date(asOf), now)}${isOldList(asOf, now.getTime()) ? ', more than a day ago' : ''}`
}

const TROUBLE_LABELS: Record<Trouble['about'], string> = {
  session: 'Session',
  connection: 'Connection',
  queue: 'Upload or download',
}

/** Lists what went wrong on this device, newest first, for reading out to support. */
function TroublesPanel() {
  const { items } = useSnapshot(troubles)
  return (
    <Panel title="Recent problems">
      <ul>
        {items.toReversed().map(({ id, about, code, at, times, request_id, told }) => (
          <Item key={id} mark={<Icon drawing={ICONS.alert} />}>
            <b className="font-strong">{`${TROUBLE_LABELS[about]}: ${code}${times > 1 ? `, ${times} times` : ''}`}</b>
            <p className="text-muted">
              {`${formatInstant(new Date(at))}. ${told ? 'Reported.' : 'Not reported yet.'}`}
            </p>
            {request_id && <p className="text-muted break-all">{`Request ${request_id}`}</p>}
          </Item>
        ))}
        {items.length === 0 && (
          <Item mark={<Icon drawing={ICONS.ok} />}>
            <b className="font-strong">No recent problems</b>
            <p className="text-muted">
              Problems with the session, the connection, uploads and downloads are listed here.
            </p>
          </Item>
        )}
      </ul>
    </Panel>
  )
}

/** Prepares the device for another person. Not possible while it has vouchers or downloads that are stored only here. */
function RemoveDataPanel({ downloads, uploads }: WaitingOnDevice) {
  const { guid } = useUser()
  const reason = useId()
  const isHeldBack = downloads > 0 || uploads.count > 0
  const remove = async () => {
    if (!(await confirm(CLEAR_QUESTION))) return
    const removed = await removeStoredData(guid).catch(() => false)
    if (removed) showToast({ tone: 'success', text: 'The offline data of this device was cleared.' })
    else
      showToast({
        tone: 'danger',
        text: 'Nothing was cleared: vouchers or downloads are waiting here, or the storage did not answer.',
      })
  }
  return (
    <Panel title="Clear offline data">
      <Stack padded>
        <p id={reason}>
          {isHeldBack
            ? 'Not possible now: vouchers or downloads are waiting on this device only. Upload and save them first, or discard the downloads.'
            : 'Lists, pages you have opened, drafts and saved views on this device. Nothing is removed on the server, and you stay logged in.'}
        </p>
        <div className="flex items-center gap-2">
          <Button variant="danger" aria-describedby={reason} aria-disabled={isHeldBack} onClick={() => void remove()}>
            Clear offline data
          </Button>
        </div>
      </Stack>
    </Panel>
  )
}

const CLEAR_QUESTION = {
  title: 'Clear the offline data of this device?',
  consequence:
    'Lists, opened pages, drafts and saved views are removed. Until they are loaded again, those screens need a connection. Drafts and saved views do not come back.',
  act: 'Clear offline data',
  dismiss: 'Keep',
  destructive: true,
}
