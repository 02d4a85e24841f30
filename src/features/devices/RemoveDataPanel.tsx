import { useId } from 'react'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { removeStoredData } from '../../offline/removeStoredData.ts'
import { confirm } from '../../state/dialogs.ts'
import { showToast } from '../../state/toasts.ts'
import { Button } from '../../ui/Button.tsx'
import { Panel, Stack } from '../../ui/Panel.tsx'
import type { WaitingOnDevice } from './WaitingPanel.tsx'

/** For a device that another person will use. Not possible while vouchers or downloads are only here. */
export function RemoveDataPanel({ downloads, uploads }: WaitingOnDevice) {
  const { guid } = useUser()
  const reason = useId()
  const isHeldBack = downloads > 0 || uploads.count > 0
  const remove = async () => {
    if (!(await confirm(QUESTION))) return
    const removed = await removeStoredData(guid).catch(() => false)
    if (removed) showToast({ tone: 'success', text: 'Kept data was removed from this device.' })
    else
      showToast({
        tone: 'danger',
        text: 'Nothing was removed: vouchers or downloads are waiting here, or the storage did not answer.',
      })
  }
  return (
    <Panel title="Remove kept data">
      <Stack padded>
        <p id={reason}>
          {isHeldBack
            ? 'Not possible now: vouchers or downloads are waiting on this device only. Upload and save them first, or discard the downloads.'
            : 'Lists, pages you have opened, files of the programme and drafts on this device. Nothing is removed on the server, and you stay logged in.'}
        </p>
        <div className="flex items-center gap-2">
          <Button variant="danger" aria-describedby={reason} aria-disabled={isHeldBack} onClick={() => void remove()}>
            Remove kept data
          </Button>
        </div>
      </Stack>
    </Panel>
  )
}

const QUESTION = {
  title: 'Remove kept data from this device?',
  consequence:
    'Lists, opened pages, kept files and drafts are removed. Until they are loaded again, those screens need a connection. Drafts do not come back.',
  act: 'Remove kept data',
  wayOut: 'Keep',
  destructive: true,
}
