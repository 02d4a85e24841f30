import { Link } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { usePermission, useUser } from '../../blocks/accounts/useUser.ts'
import { formatCents } from '../../domain/money.ts'
import { pluralize } from '../../domain/quantities.ts'
import { isUnsavedDownload, readOutbox } from '../../offline/outbox/outbox.ts'
import { uploadNow } from '../../offline/redemptions/openTill.ts'
import { unsent, type Unsent } from '../../offline/storage/storageHealth.ts'
import { useLiveQuery } from '../../offline/storage/useLiveQuery.ts'
import { userStore } from '../../offline/storage/userStore.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Item, Panel } from '../../ui/Panel.tsx'

/**
 * Shows what this device still has to send or save. Of vouchers it shows only the count and the sum: the counter shows
 * the rest (rule 9.5).
 */
export function WaitingPanel({ downloads, uploads }: WaitingOnDevice) {
  const hasDownloads = usePermission('downloads', 'view')
  return (
    <Panel title="Waiting on this device">
      <ul>
        {hasDownloads && (
          <Item
            mark={<Icon drawing={ICONS.download} />}
            actionBelow
            action={
              <Link to="/downloads" className={buttonClass()}>
                Open downloads
              </Link>
            }
          >
            <b className="font-strong">Downloads</b>
            <p className="text-muted">
              {downloads > 0 ? `${pluralize(downloads, 'download')} not saved yet` : 'Nothing is waiting'}
            </p>
          </Item>
        )}
        <Item
          mark={<Icon drawing={ICONS.upload} />}
          actionBelow
          action={uploads.count > 0 && <Button onClick={() => void uploadNow()}>Upload now</Button>}
        >
          <b className="font-strong">Vouchers to upload</b>
          <p className="text-muted">
            {uploads.count > 0
              ? `${pluralize(uploads.count, 'voucher')}, ${formatCents(uploads.cents)}.${riskSentence(uploads)} Keep this device on.`
              : 'Nothing is waiting'}
          </p>
        </Item>
      </ul>
    </Panel>
  )
}

const riskSentence = ({ atRiskCents }: Unsent) =>
  atRiskCents > 0 ? ` ${formatCents(atRiskCents)} of it was accepted at the shop’s risk.` : ''

export interface WaitingOnDevice {
  /** Downloads of the logged-in person that were not saved yet. */
  downloads: number
  /** Vouchers that any cashier redeemed on this device. */
  uploads: Unsent
}

/** Returns what waits on this device, live. */
export function useWaitingOnDevice(): WaitingOnDevice {
  const { guid } = useUser()
  const rows = useLiveQuery(() => readOutbox(userStore(guid)), `waiting-here/${guid}`) ?? []
  return { downloads: rows.filter(isUnsavedDownload).length, uploads: useSnapshot(unsent) }
}
