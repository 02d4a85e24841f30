import { useEffect, useRef } from 'react'
import { formatDay, formatTime } from '../../../domain/singaporeTime.ts'
import type { TakenOff } from '../../../domain/vouchers.ts'
import type { TillRow } from '../../../offline/store/till.ts'
import { Button } from '../../../ui/Button.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { CounterQuestion, QuestionTitle } from '../CounterHeader.tsx'
import { useEscape } from '../useEscape.ts'
import { worthOf } from '../useTillRows.ts'
import { beforeTheTap } from '../verdict/redemptionVerdict.ts'
import { SAID, useSay } from '../verdict/SaidRegion.tsx'
import { Fine, Serial, Ticket } from '../verdict/Ticket.tsx'

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
    <CounterQuestion>
      <div className="grid w-[min(36rem,100%)] gap-6">
        <div>
          <QuestionTitle title="This voucher is good" say={say} />
        </div>
        {unstored && (
          <Notice tone="danger" role="alert" title="Nothing was redeemed">
            This device cannot store the redemption, so it was not started. Free some space or leave the private window,
            then try again.
          </Notice>
        )}
        <Ticket state="attached" body={<Body row={row} />} stub={<HeldUntil row={row} />} />
        {/* On a phone as in a dialog: full width, the act on top. */}
        <div className="grid grid-cols-[1fr_2fr] gap-3 phone:flex phone:flex-col-reverse">
          <Button big="tight" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button ref={act} big variant="approve" aria-describedby={SAID} busy={busy} onClick={onRedeem}>
            Redeem {worth}
          </Button>
        </div>
      </div>
    </CounterQuestion>
  )
}

const Body = ({ row }: { row: TillRow }) => (
  <>
    <span className="text-muted">Voucher</span>
    <b className="text-4xl font-strong tracking-[-0.02em] phone:text-3xl">{worthOf(row)}</b>
    <Serial serial={row.serial} />
    {row.expires_on && <Fine>Valid until {formatDay(row.expires_on)}</Fine>}
  </>
)

const HeldUntil = ({ row }: { row: TillRow }) => (
  <>
    <span className="text-muted">Kept for this till</span>
    <b className="font-strong">until {formatTime(new Date(row.hold?.confirm_until ?? row.askedAt))}</b>
  </>
)
