import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { ApiError } from '../../api/ApiError.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { lackMessages } from '../../blocks/devices/lackMessages.ts'
import { REFERENCE_LIST_LABELS, useMyListAges, useReadiness } from '../../blocks/devices/Readiness.tsx'
import { refreshReferenceList } from '../../blocks/reference-lists/refreshReferenceList.ts'
import { isOldList, type ReadinessProblem } from '../../domain/devices/readiness.ts'
import type { ListAge } from '../../offline/reads/useListAges.ts'
import { requestPersistence } from '../../offline/storage/storageHealth.ts'
import { acceptUpdate, appUpdate } from '../../offline/update/appUpdate.ts'
import { installApp, installOffer } from '../../offline/update/installOffer.ts'
import { showToast } from '../../state/toasts.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Item, Panel } from '../../ui/Panel.tsx'

/** Shows the problems of the header's pill in whole sentences, each with the action that corrects it. */
export function ReadyPanel({ isTill }: { isTill: boolean }) {
  const problems = useReadiness(useUser())
  return (
    <Panel title={isTill ? 'Ready for the shift' : 'Ready to work offline'}>
      <ul>
        {problems?.map((problem) => {
          const { short, long } = lackMessages(problem)
          return (
            <Item
              key={problem.is}
              mark={<Icon drawing={ICONS.alert} />}
              actionBelow
              action={<Remedy problem={problem} />}
            >
              <b className="font-strong">{short}</b>
              <p className="text-muted">{long}</p>
            </Item>
          )
        })}
        {problems?.length === 0 && (
          <Item mark={<Icon drawing={ICONS.ok} />}>
            <b className="font-strong">Ready to work offline</b>
            <p className="text-muted">The portal, its lists and the pages you have opened are on this device.</p>
          </Item>
        )}
      </ul>
    </Panel>
  )
}

/** The action that corrects a problem. Empty if only a setting of the device can correct it. */
function Remedy({ problem }: { problem: ReadinessProblem }) {
  switch (problem.is) {
    case 'lists missing':
    case 'lists old':
      return <RefreshDueLists />
    case 'persistence':
      return <ProtectData />
    case 'update':
      return <UpdateNow />
    default:
      return null
  }
}

function RefreshDueLists() {
  const ages = useMyListAges(useUser()) ?? []
  const now = useCurrentMinute().getTime()
  return <RefreshButton ages={ages.filter(({ asOf }) => asOf === undefined || isOldList(asOf, now))} />
}

export function RefreshButton({ ages }: { ages: readonly ListAge[] }) {
  const { guid } = useUser()
  const offline = useOffline()
  const [busy, setBusy] = useState(false)
  const refresh = async () => {
    setBusy(true)
    for (const { key } of ages)
      await refreshReferenceList(guid, key).catch((error: unknown) => showFailure(REFERENCE_LIST_LABELS[key], error))
    setBusy(false)
  }
  return (
    <Button busy={busy} aria-disabled={offline} onClick={() => void refresh()}>
      {offline ? 'Refresh when online' : 'Refresh now'}
    </Button>
  )
}

function showFailure(name: string, error: unknown) {
  if (!(error instanceof ApiError)) throw error
  showToast({ tone: 'danger', text: `${name} could not be refreshed. ${error.statusMessage}` })
}

/**
 * Asks the browser to protect the stored data. The browser decides, often without asking the person, so a refusal is
 * shown. An installed app is seldom refused.
 */
export function ProtectData() {
  const { state } = useSnapshot(installOffer)
  const [isRefused, setRefused] = useState(false)
  return (
    <div className="grid gap-2">
      <Actions>
        {state === 'offered' && <Button onClick={() => void installApp()}>Install</Button>}
        <Button onClick={() => void requestPersistence().then((granted) => setRefused(!granted))}>Protect data</Button>
      </Actions>
      <p role="status" className="text-muted empty:hidden">
        {isRefused && 'The browser said no. Install the portal, or use it often, then try again.'}
      </p>
    </div>
  )
}

function UpdateNow() {
  const { phase } = useSnapshot(appUpdate)
  return (
    <Button busy={phase === 'applying'} onClick={() => void acceptUpdate()}>
      Update now
    </Button>
  )
}
