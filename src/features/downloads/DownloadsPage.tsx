import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { useStorageRefused } from '../../blocks/devices/StorageNotice.tsx'
import { unfollowDownloads } from '../../blocks/downloads/downloadToast.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { readOutbox } from '../../offline/outbox/outbox.ts'
import { planRetention } from '../../offline/outbox/outboxRetention.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Box } from '../../ui/Panel.tsx'
import { describeDownload } from './describeDownload.ts'
import { DownloadRow } from './DownloadRow.tsx'

export function DownloadsPage() {
  usePageTitle('Downloads')
  useEffect(unfollowDownloads, [])
  const { guid } = useUser()
  const refused = useStorageRefused()
  const listed = useLiveQuery(() => readDownloads(guid), `downloads/${guid}`)
  return (
    <>
      <PageHeader title="Downloads" note="Reports you asked for on this device. Only you can see them." />
      {refused ? (
        <NothingKept />
      ) : (
        listed && (
          <Box>
            <Downloads {...listed} />
          </Box>
        )
      )}
    </>
  )
}

/** The reason is in the notice at the top of every page. */
const NothingKept = () => (
  <EmptyState
    icon={ICONS.download}
    title="Nothing is waiting"
    text="Reports are downloaded at once when you ask for them, and need a connection."
  />
)

interface Listed {
  rows: readonly OutboxRow[]
  /** The file that is removed first when the device needs room. */
  nextToGo: string | undefined
}

async function readDownloads(owner: string): Promise<Listed> {
  const rows = await readOutbox(userStore(owner))
  return { rows, nextToGo: planRetention(rows, Date.now()).nextToGo }
}

function Downloads({ rows, nextToGo }: Listed) {
  const offline = useOffline()
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={ICONS.download}
        title="No downloads"
        text="Reports you request appear here, even while you are offline."
        actions={
          <Link to="/reports/$report" params={{ report: 'transaction-report' }} className={buttonClass()}>
            Open reports
          </Link>
        }
      />
    )
  }
  // The oldest is sent first.
  const queue = rows.filter(({ state }) => state === 'waiting' || state === 'sending').toReversed()
  return (
    <ul>
      {rows.map((row) => {
        const around = { offline, place: queue.indexOf(row) + 1, goesNext: row.id === nextToGo }
        return <DownloadRow key={row.id} row={row} offline={offline} description={describeDownload(row, around)} />
      })}
    </ul>
  )
}
