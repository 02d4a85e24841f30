import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { usePermission } from '../../blocks/accounts/useUser.ts'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { runAction } from '../../blocks/record/runAction.ts'
import { reviewDevice, type Device, type DeviceRow } from '../../contract/devices/devices.ts'
import { formatCents } from '../../domain/money.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { Actions, Button, buttonClass } from '../../ui/Button.tsx'
import { Panel, Stack } from '../../ui/Panel.tsx'
import { concernMessages } from './concernMessages.ts'

interface Props {
  device: DeviceRow & Partial<Pick<Device, 'reviewed'>>
  /** Reads the till and the list again. */
  onReviewed: () => void
}

/** What a till uploaded after it was revoked: where it is listed, and the review of it (decision 0084). Nothing without any. */
export function LateUploads({ device, onReviewed }: Props) {
  const { guid, name, late, reviewed } = device
  if (late.count === 0 && !reviewed) return null
  const { short, long } = concernMessages({ is: 'late', count: late.count })
  return (
    <Panel title="Uploaded after it was revoked" level="h3">
      <Stack padded>
        {late.count > 0 && (
          <div>
            <p>
              <b className="font-strong">{short}</b>
              <span>{`: ${pluralize(late.count, 'voucher')}, ${formatCents(late.cents)}`}</span>
            </p>
            <p className="text-muted">{long}</p>
          </div>
        )}
        {reviewed && (
          <p className="text-muted">{`Reviewed ${formatInstant(new Date(reviewed.at))}, by ${reviewed.by}`}</p>
        )}
        <Actions>
          <Link to="/vouchers" search={{ filter: { late: guid } }} className={buttonClass()}>
            Show the vouchers
          </Link>
          {late.newest_at !== null && <ReviewButton {...{ guid, name, onReviewed }} until={late.newest_at} />}
        </Actions>
      </Stack>
    </Panel>
  )
}

interface ReviewButtonProps extends Pick<DeviceRow, 'guid' | 'name'> {
  until: string
  onReviewed: () => void
}

/** Nothing is lost by it, so nothing is asked. */
function ReviewButton({ guid, name, until, onReviewed }: ReviewButtonProps) {
  const mayEdit = usePermission('pos', 'edit')
  const offline = useOffline()
  const [busy, setBusy] = useState(false)
  if (!mayEdit) return null
  const review = async () => {
    setBusy(true)
    const run = () => call(reviewDevice, { params: { id: guid }, body: { until } })
    const done = await runAction({ run, done: `Late uploads of ${name} reviewed` })
    setBusy(false)
    if (done) onReviewed()
  }
  return (
    <>
      <Button busy={busy} aria-disabled={offline || undefined} onClick={() => void review()}>
        Mark as reviewed
      </Button>
      <NeedsConnection />
    </>
  )
}
