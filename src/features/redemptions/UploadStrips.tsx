import { useState } from 'react'
import { formatCents } from '../../domain/money.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { formatSerial } from '../../domain/vouchers.ts'
import { thisTill, uploadNow } from '../../offline/redemptions/openTill.ts'
import { sumCents, type TillRow } from '../../offline/store/till.ts'
import { Button } from '../../ui/Button.tsx'
import { Strip } from '../../ui/Strip.tsx'
import { RescueOffer } from './rescue/RescueOffer.tsx'
import { redeemedAt, worthOf, type TillRows } from './useTillRows.ts'
import { refusalMessage } from './verdict/redemptionVerdict.ts'

interface Props extends Pick<TillRows, 'uploading' | 'attention'> {
  /** Nobody is being served: what leads away from the counter may be offered. */
  isFree: boolean
}

/** Vouchers that wait to be uploaded, and every upload that the server refused until somebody has seen it. */
export function UploadStrips({ uploading, attention, isFree }: Props) {
  const [now] = useState(() => new Date())
  return (
    <div aria-live="polite">
      {attention.map((row) => (
        <RefusedUpload key={row.id} {...{ row, now }} />
      ))}
      {uploading.length > 0 && <Uploading rows={uploading} now={now} />}
      {isFree && <RescueOffer rows={uploading} />}
    </div>
  )
}

function Uploading({ rows, now }: { rows: TillRow[]; now: Date }) {
  const oldest = redeemedAt(rows[0]!)
  const heard = rows.find((row) => row.heard !== undefined)?.heard
  const vouchers = rows.length === 1 ? '1 voucher is' : `${rows.length} vouchers are`
  return (
    <Strip
      icon="upload"
      action={
        <Button className="ml-auto text-base" onClick={() => void uploadNow()}>
          Upload now
        </Button>
      }
    >
      <b className="font-strong">
        {vouchers} uploading, {formatCents(sumCents(rows))},
      </b>{' '}
      since {formatAsOf(oldest, now)}. Keep this device on.
      {heard !== undefined && ` It keeps trying. The last attempt: ${heard}`}
    </Strip>
  )
}

function RefusedUpload({ row, now }: { row: TillRow; now: Date }) {
  return (
    <Strip
      icon="alert"
      action={
        <Button className="ml-auto text-base" onClick={() => void markSeen(row.id)}>
          Mark as seen
        </Button>
      }
    >
      <b className="font-strong">
        {worthOf(row)} was refused after upload: voucher {formatSerial(row.serial)} of{' '}
        {formatAsOf(redeemedAt(row), now)}, by {row.owner_name}.
      </b>{' '}
      {refusalMessage(row)} Tell your branch manager.
    </Strip>
  )
}

const markSeen = async (id: string) => (await thisTill()).understood(id)
