import { useId } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { saveFile, type SaveOutcome } from '../../blocks/downloads/saveFile.ts'
import { requestsOf } from '../../offline/outbox/downloadRequests.ts'
import { discardDownload, markSaved, readDownloadedFile, retryDownload } from '../../offline/outbox/outbox.ts'
import { wakeOutbox } from '../../offline/outbox/outboxSender.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import { confirm } from '../../state/dialogs.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import type { Description } from './describeDownload.ts'

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

/** What takes a download off the list, by what it is then. */
const REMOVE_LABELS = {
  waiting: 'Discard',
  sending: 'Cancel',
  ready: 'Discard',
  saved: 'Remove',
  failed: 'Discard',
} as const

/** `named`: the id of the download's title, for who hears five times "Discard". */
function DownloadActions({ row, offline, named }: { row: OutboxRow; offline: boolean; named: string }) {
  // Without a line an attempt comes and goes, and the button under somebody's finger must not.
  const state = row.state === 'sending' && offline ? 'waiting' : row.state
  const { guid } = useUser()
  const again = async () => {
    await retryDownload(guid, row.id)
    wakeOutbox()
  }
  const drop = async () => {
    if (row.state === 'saved' || (await confirm(dropQuestion(row)))) await discardDownload(guid, row.id)
  }
  return (
    <span className="actions">
      {row.state === 'ready' && (
        <Button variant="primary" aria-describedby={named} onClick={() => void save(guid, row)}>
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
      <Button variant="quiet" aria-describedby={named} onClick={() => void drop()}>
        {REMOVE_LABELS[state]}
      </Button>
    </span>
  )
}

async function save(owner: string, row: OutboxRow) {
  const outcome = await saveDownload(owner, row)
  if (outcome === 'missing')
    showToast({ tone: 'danger', text: 'The file is no longer on this device. Ask for it again.' })
  if (outcome === 'refused') showToast({ tone: 'danger', text: 'The file was not handed over. Tap Save file again.' })
}

const dropQuestion = (row: OutboxRow) => ({
  title: 'Discard this download?',
  consequence: `${row.title} is taken off this device.`,
  act: 'Discard download',
  wayOut: 'Keep',
  destructive: true,
})

/** Hands the file over, and remembers that it was. */
async function saveDownload(owner: string, row: OutboxRow): Promise<SaveOutcome | 'missing'> {
  const stored = await readDownloadedFile(owner, row.id)
  if (!stored) return 'missing'
  const outcome = await saveFile(new File([stored.bytes], row.filename ?? row.title, { type: stored.type }))
  if (outcome === 'saved') await markSaved(owner, row.id)
  return outcome
}
