import { useEffect, useId, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { clearedWhen } from '../../blocks/devices/lackMessages.ts'
import { REFERENCE_LIST_LABELS, useMyListAges } from '../../blocks/devices/Readiness.tsx'
import { isOldList } from '../../domain/devices/readiness.ts'
import { formatBytes } from '../../domain/quantities.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { removeStoredData } from '../../offline/removeStoredData.ts'
import { persistence } from '../../offline/storage/storageHealth.ts'
import { confirm } from '../../state/dialogs.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { Facts, Panel, Stack } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { Protect, RefreshButton } from './ReadyPanel.tsx'
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

function Persistence() {
  const { granted } = useSnapshot(persistence)
  if (granted) return <span>Yes. The browser does not delete offline data.</span>
  return (
    <div className="grid gap-2">
      <p>{`No. ${clearedWhen()}`}</p>
      <Protect />
    </div>
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

/** For a device that another person will use. Not possible while vouchers or downloads are only here. */
export function RemoveDataPanel({ downloads, uploads }: WaitingOnDevice) {
  const { guid } = useUser()
  const reason = useId()
  const isHeldBack = downloads > 0 || uploads.count > 0
  const remove = async () => {
    if (!(await confirm(QUESTION))) return
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
            : 'Lists, pages you have opened, files of the programme, drafts and saved views on this device. Nothing is removed on the server, and you stay logged in.'}
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

const QUESTION = {
  title: 'Clear the offline data of this device?',
  consequence:
    'Lists, opened pages, stored files, drafts and saved views are removed. Until they are loaded again, those screens need a connection. Drafts and saved views do not come back.',
  act: 'Clear offline data',
  wayOut: 'Keep',
  destructive: true,
}
