import { useId } from 'react'
import { requestsOf } from '../../offline/outbox/downloadRequests.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import type { Description } from './describeDownload.ts'
import { DownloadActions } from './DownloadActions.tsx'

interface Props {
  row: OutboxRow
  offline: boolean
  description: Description
}

export function DownloadRow({ row, offline, description: { icon, text, tone } }: Props) {
  const id = useId()
  return (
    <li className="download">
      <Icon name={icon} />
      <div className="min-w-0">
        <b className="strong break-words" id={id}>
          {row.title}
        </b>
        <p className={tone === 'danger' ? 'bad' : undefined}>{text}</p>
        {row.state === 'sending' && !offline && <Received row={row} />}
      </div>
      <DownloadActions row={row} offline={offline} named={id} />
    </li>
  )
}

/** Without a known total the bar only shows that something is happening; parts count as much as each other. */
function Received({ row }: { row: OutboxRow }) {
  const parts = requestsOf(row.intent).length
  const ofPart = row.total ? row.received / row.total : undefined
  const value = parts > 1 ? ((row.partsKept ?? 0) + (ofPart ?? 0)) / parts : ofPart
  return (
    <div className="mt-2 max-w-96">
      <ProgressBar label={row.title} {...(value === undefined ? {} : { value })} />
    </div>
  )
}
