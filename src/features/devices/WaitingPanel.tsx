import { Link } from '@tanstack/react-router'
import { usePermission } from '../../blocks/useMay.ts'
import { pluralize } from '../../domain/counted.ts'
import { formatCents } from '../../domain/money.ts'
import { wakeTill } from '../../offline/redemptions/openTill.ts'
import { Button } from '../../ui/Button.tsx'
import { buttonClass } from '../../ui/buttonClass.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Panel } from '../../ui/Panel.tsx'
import type { WaitingOnDevice } from '../device/useWaitingHere.ts'

/** What this device still has to do. Of vouchers only the count and the sum: the counter knows the rest (DESIGN §7). */
export function WaitingPanel({ downloads, uploads }: WaitingOnDevice) {
  const hasDownloads = usePermission('downloads', 'view')
  return (
    <Panel title="Waiting on this device">
      <ul className="todo">
        {hasDownloads && (
          <li>
            <Icon name="download" />
            <div>
              <b className="strong">Downloads</b>
              <p>{downloads > 0 ? `${pluralize(downloads, 'download')} not saved yet` : 'Nothing waits'}</p>
            </div>
            <Link to="/downloads" className={buttonClass()}>
              Open downloads
            </Link>
          </li>
        )}
        <li>
          <Icon name="upload" />
          <div>
            <b className="strong">Vouchers to upload</b>
            <p>
              {uploads.count > 0
                ? `${pluralize(uploads.count, 'voucher')}, ${formatCents(uploads.cents)}. Keep this device on.`
                : 'Nothing waits'}
            </p>
          </div>
          {uploads.count > 0 && <Button onClick={() => wakeTill()}>Upload now</Button>}
        </li>
      </ul>
    </Panel>
  )
}
