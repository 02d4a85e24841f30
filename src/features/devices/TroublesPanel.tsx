import { useSnapshot } from 'valtio/react'
import type { Trouble } from '../../contract/devices/troubles.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { troubles } from '../../state/troubles.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Item, Panel } from '../../ui/Panel.tsx'

const LABELS: Record<Trouble['about'], string> = {
  session: 'Session',
  connection: 'Connection',
  queue: 'Upload or download',
}

/** What went wrong on this device, newest first: what somebody reads out to whoever helps them. */
export function TroublesPanel() {
  const { items } = useSnapshot(troubles)
  return (
    <Panel title="Recent problems">
      <ul>
        {items.toReversed().map(({ id, about, code, at, times, request_id, told }) => (
          <Item key={id} mark={<Icon drawing={ICONS.alert} />}>
            <b className="font-strong">{`${LABELS[about]}: ${code}${times > 1 ? `, ${times} times` : ''}`}</b>
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
