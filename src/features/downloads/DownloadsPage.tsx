import { Link } from '@tanstack/react-router'
import { useEffect, useId } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { useStorageRefused } from '../../blocks/devices/StorageNotice.tsx'
import { unfollowDownloads } from '../../blocks/downloads/downloadToast.ts'
import { saveDownload } from '../../blocks/downloads/saveFile.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { formatBytes } from '../../domain/quantities.ts'
import { formatDay, formatInstant, formatTime } from '../../domain/singaporeTime.ts'
import { discardDownload, readOutbox, retryDownload } from '../../offline/outbox/outbox.ts'
import { downloadKeptUntil, DOWNLOAD_RETENTION } from '../../offline/outbox/outboxRetention.ts'
import { wakeOutbox } from '../../offline/outbox/outboxSender.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import { confirm } from '../../state/dialogs.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { DRAWINGS } from '../../ui/drawings.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { type Drawing, Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { Box, Item } from '../../ui/Panel.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'

export function DownloadsPage() {
  usePageTitle('Downloads')
  useEffect(unfollowDownloads, [])
  const { guid } = useUser()
  const refused = useStorageRefused()
  const rows = useLiveQuery(() => readOutbox(userStore(guid)), `downloads/${guid}`)
  return (
    <>
      <PageHeader title="Downloads" note="Reports you asked for on this device. Only you can see them." />
      {refused ? (
        <NothingWaiting />
      ) : (
        rows && (
          <Box>
            <Downloads rows={rows} />
          </Box>
        )
      )}
    </>
  )
}

/** Shown if this browser refuses to store data. The notice at the top of every page says why. */
const NothingWaiting = () => (
  <EmptyState
    drawing={DRAWINGS.empty}
    title="Nothing is waiting"
    text="Reports are downloaded at once when you ask for them, and need a connection."
  />
)

function Downloads({ rows }: { rows: readonly OutboxRow[] }) {
  const offline = useOffline()
  if (rows.length === 0) {
    return (
      <EmptyState
        drawing={DRAWINGS.empty}
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
  // In the order of sending: the oldest first.
  const queue = rows.filter(({ state }) => state === 'waiting' || state === 'sending').toReversed()
  return (
    <ul>
      {rows.map((row) => {
        const context = { offline, place: queue.indexOf(row) + 1 }
        return <DownloadRow key={row.id} row={row} offline={offline} description={describeDownload(row, context)} />
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
      {row.state === 'sending' && !offline && <ReceivedBar row={row} />}
    </Item>
  )
}

/** Shows how much has arrived. Without a known total the bar only shows that work is going on. */
const ReceivedBar = ({ row: { title, received, total } }: { row: OutboxRow }) => (
  <div className="mt-2">
    <ProgressBar className="max-w-[24rem]" label={title} {...(total ? { value: received / total } : {})} />
  </div>
)

/** The labels of the button that removes a download from the list. */
const REMOVE_LABELS = {
  waiting: 'Discard',
  sending: 'Cancel',
  ready: 'Discard',
  saved: 'Remove',
  failed: 'Discard',
} as const

/** The buttons of a download. `named` is the id of its title, which a screen reader says with each button. */
function DownloadActions({ row, offline, named }: { row: OutboxRow; offline: boolean; named: string }) {
  // Offline, an attempt starts and fails at once. The button must not change while a person presses it.
  const state = row.state === 'sending' && offline ? 'waiting' : row.state
  const { guid } = useUser()
  const retry = async () => {
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
        <Button aria-describedby={named} onClick={() => void retry()}>
          Try now
        </Button>
      )}
      {row.state === 'failed' && (
        <Button aria-describedby={named} onClick={() => void retry()}>
          Retry
        </Button>
      )}
      {row.state === 'saved' && (
        <Button aria-describedby={named} onClick={() => void saveDownload(guid, row)}>
          Save again
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
  dismiss: 'Keep',
  destructive: true,
})

interface Description {
  icon: Drawing
  text: string
  tone?: 'danger'
}

interface DownloadContext {
  offline: boolean
  /** The place of the download in the queue, from 1. */
  place: number
}

/** Describes the state of a download in words. Offline, no text says that something is in progress. */
function describeDownload(row: OutboxRow, context: DownloadContext): Description {
  switch (row.state) {
    case 'waiting':
      return context.offline ? WAITING_FOR_CONNECTION : describeWaiting(row, context.place)
    case 'sending':
      return context.offline ? WAITING_FOR_CONNECTION : { icon: ICONS.download, text: sendingText(row) }
    case 'ready':
      return { icon: ICONS.ok, text: readyText(row) }
    case 'saved':
      return { icon: ICONS.check, text: `Save started ${formatInstant(settledAt(row))}. Not in Downloads? Save again.` }
    case 'failed':
      return { icon: ICONS.alert, text: failedText(row), tone: 'danger' }
  }
}

const settledAt = (row: OutboxRow) => new Date(row.settledAt ?? row.createdAt)

const WAITING_FOR_CONNECTION: Description = {
  icon: ICONS.offline,
  text: 'Waiting for connection. Starts automatically.',
}

function describeWaiting(row: OutboxRow, place: number): Description {
  if (row.attempts === 0)
    return { icon: ICONS.clock, text: `Waiting for its turn${place > 1 ? `, place ${place}` : ''}` }
  const at = formatTime(new Date(row.nextAt))
  return { icon: ICONS.clock, text: `${row.trouble ?? 'The last attempt failed.'} Next attempt at ${at}.` }
}

function sendingText(row: OutboxRow): string {
  if (row.received === 0) return 'Preparing'
  const received = row.total ? `${formatBytes(row.received)} of ${formatBytes(row.total)}` : formatBytes(row.received)
  return `Downloading, ${received}`
}

const readyText = (row: OutboxRow): string =>
  `Ready, ${formatBytes(row.size ?? 0)}, as of ${formatInstant(settledAt(row))}. Kept until ${formatDay(new Date(downloadKeptUntil(row)))}.`

function failedText(row: OutboxRow): string {
  if (row.gone === 'age')
    return `Not saved within ${DOWNLOAD_RETENTION.days} days, so the file was removed from this device. Retry downloads it again.`
  if (row.gone === 'room') return 'The file was removed to make room for newer ones. Retry downloads it again.'
  const at = formatTime(settledAt(row))
  const what = row.attempts > 1 ? `Failed after ${row.attempts} attempts, last at ${at}.` : `Failed at ${at}.`
  return `${what} ${row.trouble ?? ''}`.trim()
}
