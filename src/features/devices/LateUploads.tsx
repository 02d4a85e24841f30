import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { usePermission } from '../../blocks/accounts/useUser.ts'
import { NeedsConnection } from '../../blocks/connectivity/OnlineLink.tsx'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { runAction } from '../../blocks/record/runAction.ts'
import { Money } from '../../blocks/vouchers/Money.tsx'
import { reviewDevice, type Device, type DeviceRow } from '../../contract/devices/devices.ts'
import { concernMessages } from '../../domain/devices/deviceConcerns.ts'
import { formatInstant } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { Actions, Button, buttonClass } from '../../ui/Button.tsx'
import { ExactSentence } from '../../ui/ExactSentence.tsx'
import { Exact, Panel, Stack } from '../../ui/Panel.tsx'

interface Props {
  device: DeviceRow & Partial<Pick<Device, 'reviewed' | 'settled_by_hand'>>
  /** Reads the till and the list again. */
  onReviewed: () => void
}

/** The late uploads of a till: where they are listed, who settled which, and the review (decision 0079). Nothing without any. */
export function LateUploads({ device, onReviewed }: Props) {
  const { guid, name, late, reviewed, settled_by_hand: byHand = [] } = device
  if (late.count === 0 && !reviewed) return null
  const { short, long } = concernMessages({ is: 'late', ...late })
  return (
    <Panel title="Late uploads" level="h3">
      <Stack padded>
        {late.count > 0 && (
          <div>
            <p className="font-strong">
              <ExactSentence text={short} />
            </p>
            <p className="text-muted">{long}</p>
          </div>
        )}
        {byHand.length > 0 && <SettledByHand holds={byHand} />}
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

/** Of those to review. */
const SettledByHand = ({ holds }: { holds: Device['settled_by_hand'] }) => (
  <div>
    <p>Settled by hand:</p>
    <ul className="grid gap-2">
      {holds.map(({ id, serial, denomination_cents, redeemed_at, by, reason }) => (
        <li key={id} className="wrap-anywhere">
          <p>
            <Exact>{formatSerial(serial)}</Exact>
            <span>, </span>
            <Money cents={denomination_cents} />
            <span>{`, ${formatInstant(new Date(redeemed_at))}`}</span>
          </p>
          <p className="text-muted">
            <Exact>{by}</Exact>
            <span>{`: “${reason}”`}</span>
          </p>
        </li>
      ))}
    </ul>
  </div>
)

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
