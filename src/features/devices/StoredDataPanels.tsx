import { useEffect, useId, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { ApiError } from '../../api/ApiError.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { clearedWhen } from '../../blocks/devices/lackMessages.ts'
import { REFERENCE_LIST_LABELS } from '../../blocks/devices/Readiness.tsx'
import { refreshReferenceList } from '../../blocks/reference-lists/refreshReferenceList.ts'
import { isOldList } from '../../domain/devices/readiness.ts'
import { formatBytes } from '../../domain/quantities.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { useListAges, type ListAge } from '../../offline/reads/useListAges.ts'
import { removeStoredData } from '../../offline/removeStoredData.ts'
import { persistence, requestPersistence } from '../../offline/storage/storageHealth.ts'
import { confirm } from '../../state/dialogs.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Facts, Item, Panel, Stack } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import type { WaitingOnDevice } from './WaitingPanel.tsx'

/** How much storage the portal uses, and whether the browser may clear it. */
export function StoragePanel() {
  const used = useStorageUsed()
  return (
    <Panel title="Storage">
      <Facts
        facts={[
          ['Used', used ? <Used key="used" {...used} /> : 'This browser does not say'],
          ['Protected from deletion', <Persistence key="persistence" />],
        ]}
      />
    </Panel>
  )
}

function Used({ usage, quota }: { usage: number; quota: number }) {
  return (
    <>
      <span>{`${formatBytes(usage)} of ${formatBytes(quota)}`}</span>
      <ProgressBar className="mt-2" label="Storage used" value={quota > 0 ? usage / quota : 1} />
    </>
  )
}

/** The browser decides, often without asking the person, so its answer is shown either way. */
function Persistence() {
  const { granted } = useSnapshot(persistence)
  const [isRefused, setRefused] = useState(false)
  useEffect(() => setRefused((now) => now && granted !== true), [granted])
  if (granted) return <span>Yes. The browser does not delete offline data.</span>
  return (
    <>
      <p>{`No. ${clearedWhen()}`}</p>
      <Button className="mt-2" onClick={() => void requestPersistence().then((given) => setRefused(!given))}>
        Ask the browser
      </Button>
      <p role="status" className="text-muted">
        {isRefused && 'The browser said no. Install the portal, or use it often, then ask again.'}
      </p>
    </>
  )
}

const READ_EVERY_MS = 10_000

/** Bytes, as the browser estimates them for this origin; undefined in one that does not. */
function useStorageUsed(): { usage: number; quota: number } | undefined {
  const [used, setUsed] = useState<{ usage: number; quota: number }>()
  useEffect(() => {
    let live = true
    const read = async () => {
      const { usage, quota } = (await navigator.storage?.estimate?.().catch(() => undefined)) ?? {}
      if (live && usage !== undefined && quota !== undefined) setUsed({ usage, quota })
    }
    void read()
    const timer = setInterval(() => void read(), READ_EVERY_MS)
    return () => {
      live = false
      clearInterval(timer)
    }
  }, [])
  return used
}

/** The lists that forms and filters need offline, each with its age. */
export function ReferenceListsPanel() {
  const user = useUser()
  const ages = useListAges(user.guid, user)
  const offline = useOffline()
  if (!ages || ages.length === 0) return null
  return (
    <Panel title="Lists for offline">
      <ul>
        {ages.map((age) => (
          <ListRow key={age.key} age={age} owner={user.guid} offline={offline} />
        ))}
      </ul>
      {offline && <p className="text-muted px-4 pb-3">Refreshing needs a connection.</p>}
    </Panel>
  )
}

function ListRow({ age: { key, asOf }, owner, offline }: { age: ListAge; owner: string; offline: boolean }) {
  const [busy, setBusy] = useState(false)
  const now = useCurrentMinute()
  const name = REFERENCE_LIST_LABELS[key]
  const isOld = asOf !== undefined && isOldList(asOf, now.getTime())
  const refresh = async () => {
    setBusy(true)
    await refreshReferenceList(owner, key).catch((error: unknown) => showRefreshFailure(name, error))
    setBusy(false)
  }
  return (
    <Item
      mark={<Icon drawing={asOf === undefined || isOld ? ICONS.alert : ICONS.ok} />}
      actionBelow
      action={
        <Button aria-label={`Refresh ${name} now`} busy={busy} aria-disabled={offline} onClick={() => void refresh()}>
          Refresh now
        </Button>
      }
    >
      <b className="font-strong">{name}</b>
      <p className="text-muted">{listAgeText(asOf, isOld, now)}</p>
    </Item>
  )
}

function listAgeText(asOf: number | undefined, isOld: boolean, now: Date): string {
  if (asOf === undefined) return 'Never kept on this device'
  return `As of ${formatAsOf(new Date(asOf), now)}${isOld ? ', more than a day ago' : ''}`
}

function showRefreshFailure(name: string, error: unknown) {
  if (!(error instanceof ApiError)) throw error
  showToast({ tone: 'danger', text: `${name} could not be refreshed. ${error.statusMessage}` })
}

/** For a device that another person will use. Not possible while vouchers or downloads are only here. */
export function RemoveDataPanel({ downloads, uploads }: WaitingOnDevice) {
  const { guid } = useUser()
  const reason = useId()
  const isHeldBack = downloads > 0 || uploads.count > 0
  const remove = async () => {
    if (!(await confirm(QUESTION))) return
    const removed = await removeStoredData(guid).catch(() => false)
    if (removed) showToast({ tone: 'success', text: 'Kept data was removed from this device.' })
    else
      showToast({
        tone: 'danger',
        text: 'Nothing was removed: vouchers or downloads are waiting here, or the storage did not answer.',
      })
  }
  return (
    <Panel title="Remove kept data">
      <Stack padded>
        <p id={reason}>
          {isHeldBack
            ? 'Not possible now: vouchers or downloads are waiting on this device only. Upload and save them first, or discard the downloads.'
            : 'Lists, pages you have opened, files of the programme and drafts on this device. Nothing is removed on the server, and you stay logged in.'}
        </p>
        <div className="flex items-center gap-2">
          <Button variant="danger" aria-describedby={reason} aria-disabled={isHeldBack} onClick={() => void remove()}>
            Remove kept data
          </Button>
        </div>
      </Stack>
    </Panel>
  )
}

const QUESTION = {
  title: 'Remove kept data from this device?',
  consequence:
    'Lists, opened pages, kept files and drafts are removed. Until they are loaded again, those screens need a connection. Drafts do not come back.',
  act: 'Remove kept data',
  wayOut: 'Keep',
  destructive: true,
}
