import { useEffect, useRef } from 'react'
import { formatDay, formatTime } from '../../../domain/singaporeTime.ts'
import { formatSerial, type TakenOff } from '../../../domain/vouchers.ts'
import type { TillRow } from '../../../offline/store/till.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { useEscape } from '../useEscape.ts'
import { worthOf } from '../useTillRows.ts'
import { beforeTheTap } from '../verdict/redemptionVerdict.ts'
import { SAID, useSay } from '../verdict/SaidRegion.tsx'
import { Ticket } from '../verdict/Ticket.tsx'

interface Props {
  row: TillRow
  /** What it takes off the bill. */
  taken: TakenOff
  /** This device could not store the redemption, so it was not sent. */
  unstored?: boolean
  /** It is redeemed, and its receipt is awaited for a moment. */
  busy?: boolean
  onRedeem?: () => void
  onCancel?: () => void
}

export function ConfirmStage({ row, taken, unstored, busy, onRedeem, onCancel }: Props) {
  const act = useRef<HTMLButtonElement>(null)
  // After a scan nothing has the focus. With it here, Enter redeems.
  useEffect(() => act.current?.focus(), [])
  useEscape(onCancel)
  const worth = worthOf(row)
  const say = beforeTheTap(taken)
  // While the receipt is awaited it has been said already.
  useSay(busy ? undefined : `This voucher is good. ${say}`)
  return (
    <main className="ask" id="main" tabIndex={-1}>
      <div>
        <div>
          <h1>This voucher is good</h1>
          <p className="say">{say}</p>
        </div>
        {unstored && (
          <Notice tone="danger" role="alert" title="Nothing was redeemed">
            This device cannot store the redemption, so it was not started. Free some space or leave the private window,
            then try again.
          </Notice>
        )}
        <Ticket state="attached" body={<Body row={row} />} stub={<HeldUntil row={row} />} />
        <div className="choice">
          <Button big disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button ref={act} big variant="approve" aria-describedby={SAID} busy={busy} onClick={onRedeem}>
            Redeem {worth}
          </Button>
        </div>
      </div>
    </main>
  )
}

const Body = ({ row }: { row: TillRow }) => (
  <>
    <span className="muted">Voucher</span>
    <b className="worth">{worthOf(row)}</b>
    <span className="serial">{formatSerial(row.serial)}</span>
    {row.expires_on && <span className="muted fine">Valid until {formatDay(row.expires_on)}</span>}
  </>
)

const HeldUntil = ({ row }: { row: TillRow }) => (
  <>
    <span className="muted">Kept for this till</span>
    <b className="strong">until {formatTime(new Date(row.hold?.confirm_until ?? row.askedAt))}</b>
  </>
)
