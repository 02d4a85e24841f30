import { useOffline } from '../../blocks/useOffline.ts'
import type { OutboxRow } from '../../offline/store/outboxRow.ts'
import { Icon } from '../../ui/Icon.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { DownloadActions } from './DownloadActions.tsx'
import { describeDownload } from './describeDownload.ts'

export function DownloadRow({ row }: { row: OutboxRow }) {
  const offline = useOffline()
  const { icon, text, tone } = describeDownload(row, offline)
  return (
    <li className="download">
      <Icon name={icon} />
      <div className="min-w-0">
        <b className="strong break-words">{row.title}</b>
        <p className={tone === 'danger' ? 'bad' : undefined}>{text}</p>
        {row.state === 'sending' && <Received row={row} />}
      </div>
      <DownloadActions row={row} />
    </li>
  )
}

/** Without a known total the bar only shows that something is happening. */
function Received({ row }: { row: OutboxRow }) {
  return (
    <div className="mt-2 max-w-96">
      <ProgressBar label={row.title} {...(row.total ? { value: row.received / row.total } : {})} />
    </div>
  )
}
