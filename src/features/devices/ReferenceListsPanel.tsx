import { useState } from 'react'
import { ApiError } from '../../api/ApiError.ts'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useCurrentMinute } from '../../blocks/cached/useCurrentMinute.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { REFERENCE_LIST_LABELS } from '../../blocks/devices/Readiness.tsx'
import { refreshReferenceList } from '../../blocks/reference-lists/refreshReferenceList.ts'
import { isOldList } from '../../domain/devices/readiness.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { useListAges, type ListAge } from '../../offline/reads/useListAges.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Item, Panel } from '../../ui/Panel.tsx'

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
