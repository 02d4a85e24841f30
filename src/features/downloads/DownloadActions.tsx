import { useUser } from '../../blocks/accounts/useUser.ts'
import { discardDownload, retryDownload } from '../../offline/outbox/outbox.ts'
import { wakeOutbox } from '../../offline/page/outboxWaker.ts'
import type { OutboxRow } from '../../offline/store/userRows.ts'
import { confirm } from '../../state/dialogs.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { saveDownload } from './saveDownload.ts'

/** What takes a download off the list, by what it is then. */
const REMOVE_LABELS = {
  waiting: 'Discard',
  sending: 'Cancel',
  ready: 'Discard',
  saved: 'Remove',
  failed: 'Discard',
} as const

/** `named`: the id of the download's title, for who hears five times "Discard". */
export function DownloadActions({ row, offline, named }: { row: OutboxRow; offline: boolean; named: string }) {
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
