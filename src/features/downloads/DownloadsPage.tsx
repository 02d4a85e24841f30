import { Link } from '@tanstack/react-router'
import { useEffect, useId } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { useStorageRefused } from '../../blocks/devices/StorageNotice.tsx'
import { unfollowDownloads } from '../../blocks/downloads/downloadToast.ts'
import { saveDownload } from '../../blocks/downloads/saveFile.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { discardDownload, readOutbox, retryDownload } from '../../offline/outbox/outbox.ts'
import { planRetention } from '../../offline/outbox/outboxRetention.ts'
import { wakeOutbox } from '../../offline/outbox/outboxSender.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import { confirm } from '../../state/dialogs.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Box, Item } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { describeDownload, type Description } from './describeDownload.ts'

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

interface Props {
  row: OutboxRow
  offline: boolean
  description: Description
}

function DownloadRow({ row, offline, description: { icon, text, tone } }: Props) {
  const id = useId()
  return (
    <Item mark={<Icon drawing={icon} />} action={<DownloadActions row={row} offline={offline} named={id} />}>
      <b className="font-strong break-words" id={id}>
        {row.filename ?? row.title}
      </b>
      <p className={tone === 'danger' ? 'text-danger-text' : 'text-muted'}>{text}</p>
      {row.state === 'sending' && !offline && <Received row={row} />}
    </Item>
  )
}

/** Without a known total the bar only shows that something is happening. */
const Received = ({ row: { title, received, total } }: { row: OutboxRow }) => (
  <div className="mt-2">
    <ProgressBar className="max-w-[24rem]" label={title} {...(total ? { value: received / total } : {})} />
  </div>
)

/** The button that takes a download off the list. */
const REMOVE_LABELS = {
  waiting: 'Discard',
  sending: 'Cancel',
  ready: 'Discard',
  saved: 'Remove',
  failed: 'Discard',
} as const

/** `named`: the id of the download's title, so that a screen reader says which one each "Discard" belongs to. */
function DownloadActions({ row, offline, named }: { row: OutboxRow; offline: boolean; named: string }) {
  // Offline, an attempt starts and fails within moments. The button must not change under somebody's finger.
  const state = row.state === 'sending' && offline ? 'waiting' : row.state
  const { guid } = useUser()
  const again = async () => {
    await retryDownload(guid, row.id)
    wakeOutbox()
  }
  const discard = async () => {
    if (row.state === 'saved' || (await confirm(discardQuestion(row)))) await discardDownload(guid, row.id)
  }
  return (
    <span className="flex flex-wrap gap-2 phone:col-start-2 phone:-col-end-1">
      {row.state === 'ready' && (
        <Button variant="primary" aria-describedby={named} onClick={() => void saveDownload(guid, row)}>
          Save file
        </Button>
      )}
      {state === 'waiting' && (
        <Button aria-describedby={named} onClick={() => void again()}>
          Try now
        </Button>
      )}
      {row.state === 'failed' && (
        <Button aria-describedby={named} onClick={() => void again()}>
          Retry
        </Button>
      )}
      {row.state === 'saved' && (
        <Button aria-describedby={named} onClick={() => void again()}>
          Download again
        </Button>
      )}
      <Button variant="quiet" className="-mx-2" aria-describedby={named} onClick={() => void discard()}>
        {REMOVE_LABELS[state]}
      </Button>
    </span>
  )
}

const discardQuestion = (row: OutboxRow) => ({
  title: 'Discard this download?',
  consequence: `${row.title} is removed from this device.`,
  act: 'Discard download',
  wayOut: 'Keep',
  destructive: true,
})
