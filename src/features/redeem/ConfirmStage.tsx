import { useEffect, useRef } from 'react'
import { Ticket } from '../../blocks/Ticket.tsx'
import type { VerifiedVoucher } from '../../contract/voucher.ts'
import { formatCents } from '../../domain/money.ts'
import { formatSerial } from '../../domain/serialNumber.ts'
import { formatDay } from '../../domain/singaporeTime.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Notice.tsx'

interface Props {
  voucher: VerifiedVoucher
  /** This device could not store the redemption, so nothing was sent. */
  unstored: boolean
  onRedeem: () => void
  onCancel: () => void
}

export function ConfirmStage({ voucher, unstored, onRedeem, onCancel }: Props) {
  const act = useRef<HTMLButtonElement>(null)
  // A hand scanner leaves no focus behind; Enter then goes on.
  useEffect(() => act.current?.focus(), [])
  const worth = formatCents(voucher.denomination_cents)
  return (
    <main className="ask" id="main" tabIndex={-1}>
      <div>
        <div role="status">
          <h1>This voucher is good</h1>
          <p className="say">Redeeming takes {worth} off the bill and cannot be done twice.</p>
        </div>
        {unstored && (
          <Notice tone="danger" title="Nothing was sent">
            This device cannot store the redemption, so it was not started. Free some space or leave the private window,
            then try again.
          </Notice>
        )}
        <Ticket
          state="attached"
          body={
            <>
              <span className="muted">Voucher</span>
              <b className="worth">{worth}</b>
              <span className="serial">{formatSerial(voucher.serial)}</span>
              <span className="muted fine">Valid until {formatDay(voucher.expires_on)}</span>
            </>
          }
          stub={
            <>
              <span className="muted">Not taken</span>
              <b className="strong">yet</b>
            </>
          }
        />
        <div className="choice">
          <Button big onClick={onCancel}>
            Cancel
          </Button>
          <Button ref={act} big variant="approve" onClick={onRedeem}>
            Redeem {worth}
          </Button>
        </div>
      </div>
    </main>
  )
}
