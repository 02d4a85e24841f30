import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { useUser } from '../../../blocks/accounts/useUser.ts'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { playSound } from '../../../blocks/vouchers/playSound.ts'
import type { ReceiptFacts } from '../../../blocks/vouchers/receipt.ts'
import { ReceiptDialog } from '../../../blocks/vouchers/ReceiptDialog.tsx'
import { formatDay, formatTime } from '../../../domain/singaporeTime.ts'
import type { TakenOff } from '../../../domain/vouchers.ts'
import { connectivity } from '../../../offline/connectivity/connectivity.ts'
import { tillDatabase } from '../../../offline/redemptions/openTill.ts'
import { readTillRow } from '../../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../../offline/storage/useLiveQuery.ts'
import { countsAsRedeemed, isAtRisk, isVoiding, type TillRow } from '../../../offline/store/till.ts'
import { Button } from '../../../ui/Button.tsx'
import type { Elements } from '../../../ui/Elements.ts'
import { ExactSentence } from '../../../ui/ExactSentence.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { SilenceStage } from '../allowance/SilenceStage.tsx'
import { BillStage } from '../bill/BillStage.tsx'
import { takenOffBill, type BillNow, type Bills } from '../bill/useBills.ts'
import { CounterQuestion, QuestionTitle } from '../CounterHeader.tsx'
import type { Scan } from '../counterState.ts'
import type { useCounter } from '../useCounter.ts'
import { useEscape } from '../useEscape.ts'
import { redeemedAt, worthOf } from '../useTillRows.ts'
import { alreadyRedeemedVerdict, fullVerdict, notCheckedVerdict, unreadVerdict } from '../verdict/deviceVerdicts.ts'
import { beforeTheTap, redemptionVerdict } from '../verdict/redemptionVerdict.ts'
import { refusedVerdict } from '../verdict/refusedVerdict.ts'
import { SAID, useSay } from '../verdict/SaidRegion.tsx'
import { Fine, Serial, Ticket } from '../verdict/Ticket.tsx'
import { VerdictStage } from '../verdict/VerdictStage.tsx'
import { useVoid } from '../VoidButton.tsx'
import { PinStage } from './PinStage.tsx'
import { VerifyStage } from './VerifyStage.tsx'

interface Props {
  counter: ReturnType<typeof useCounter>
  /** What stands at the foot while the cashier is free to look at it. */
  foot: Elements
  till: string
  branch: string
  bills: Bills
}

export function CounterStage({ counter, foot, till, branch, bills }: Props) {
  const { state, verify, redeem, accept, cancel, next } = counter
  const connection = useSnapshot(connectivity)
  switch (state.at) {
    case 'ready':
    case 'verifying':
      return (
        <>
          <VerifyStage state={state} onSerial={(serial) => void verify(serial)} />
          {foot}
        </>
      )
    case 'pin':
      return <PinStage {...state} onPin={(pin) => void verify(scanned(state), pin)} onCancel={next} />
    case 'confirm':
      return (
        <>
          <ConfirmStage
            row={state.row}
            taken={takenOffBill(bills.open, state.row)}
            unstored={state.problem === 'unstored'}
            onRedeem={() => void redeem(state.row)}
            onCancel={() => void cancel(state.row)}
          />
          {foot}
        </>
      )
    case 'silence':
      return (
        <SilenceStage
          key={state.serial}
          {...{ state, foot }}
          bill={bills.open}
          onAccept={(offered) => void accept(offered)}
          onNext={next}
          onAgain={() => void verify(scanned(state))}
        />
      )
    case 'redeemed':
      return <RedeemedStage key={state.id} {...state} bill={bills.open} {...{ branch }} onNext={next} />
    case 'known':
      return <VerdictStage verdict={alreadyRedeemedVerdict(state.row, new Date(state.since))} onNext={next} />
    case 'refused':
      return <VerdictStage verdict={refusedVerdict(state.refused, state.serial)} onNext={next} />
    case 'full':
      return (
        <VerdictStage
          key={state.since}
          verdict={fullVerdict(state)}
          onNext={next}
          onAgain={() => void verify(scanned(state))}
        />
      )
    case 'not-checked':
      return (
        <VerdictStage
          verdict={notCheckedVerdict(state, connection)}
          onNext={next}
          onAgain={() => void verify(scanned(state))}
        />
      )
    case 'unread':
      return <VerdictStage key={state.since} verdict={unreadVerdict(state)} onNext={next} />
    case 'bill':
      return (
        bills.finished && <BillStage bill={bills.finished} since={state.since} {...{ till, branch }} onNext={next} />
      )
  }
}

const scanned = ({ serial, code }: Scan) => code ?? serial

interface ConfirmProps {
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

function ConfirmStage({ row, taken, unstored, busy, onRedeem, onCancel }: ConfirmProps) {
  const act = useRef<HTMLButtonElement>(null)
  // After a scan nothing has the focus. With it here, Enter redeems.
  useEffect(() => act.current?.focus(), [])
  useEscape(onCancel)
  const worth = worthOf(row)
  const say = beforeTheTap(taken)
  // While the receipt is awaited it has been said already.
  useSay(busy ? undefined : `This voucher is good. ${say}`)
  useEffect(() => (busy ? undefined : playSound('good')), [busy])
  return (
    <CounterQuestion>
      <div className="grid w-[min(36rem,100%)] gap-6">
        <div>
          <QuestionTitle title="This voucher is good" say={<ExactSentence text={say} />} />
        </div>
        {unstored && (
          <Notice tone="danger" role="alert" title="Nothing was redeemed">
            <p>
              This device cannot store the redemption, so it was not started. Free some space or leave the private
              window, then try again.
            </p>
          </Notice>
        )}
        <Ticket state="attached" body={<Body row={row} />} stub={<HeldUntil row={row} />} />
        {/* On a phone as in a dialog: full width, the act on top. */}
        <div className="grid grid-cols-[1fr_2fr] gap-3 phone:flex phone:flex-col-reverse">
          <Button big="tight" disabled={busy} onClick={onCancel}>
            Cancel
          </Button>
          <Button ref={act} big variant="approve" aria-describedby={SAID} busy={busy} onClick={onRedeem}>
            <span>
              Redeem <span translate="no">{worth}</span>
            </span>
          </Button>
        </div>
      </div>
    </CounterQuestion>
  )
}

const Body = ({ row }: { row: TillRow }) => (
  <>
    <span className="text-muted">Voucher</span>
    <b className="text-4xl font-strong tracking-[-0.02em] phone:text-3xl" translate="no">
      {worthOf(row)}
    </b>
    <Serial serial={row.serial} />
    {row.expires_on && <Fine>{`Valid until ${formatDay(row.expires_on)}`}</Fine>}
  </>
)

const HeldUntil = ({ row }: { row: TillRow }) => (
  <>
    <span className="text-muted">Kept for this till</span>
    <b className="font-strong">{`until ${formatTime(new Date(row.hold?.confirm_until ?? row.askedAt))}`}</b>
  </>
)

interface RedeemedStageProps {
  id: string
  since: number
  /** Where it was redeemed, for a receipt that has not come yet. */
  branch: string
  bill: BillNow | undefined
  onNext: () => void
}

/** If the receipt comes within this time, the screen never says "uploading". */
const RECEIPT_GRACE_MS = 1_000

/** What the device knows of a redeemed voucher: uploading at first, perhaps, then its receipt or a refusal. */
function RedeemedStage({ id, since, bill, ...props }: RedeemedStageProps) {
  const row = useLiveQuery(() => readTillRow(tillDatabase(), id), `till/${id}`)
  const withinGrace = useReceiptGrace(since)
  const offline = useOffline()
  if (!row) return null
  if (row.state === 'confirmed' && withinGrace && !offline) {
    return <ConfirmStage row={row} taken={takenOffBill(bill, row)} busy />
  }
  return <Redeemed {...props} {...{ row, bill }} />
}

interface RedeemedProps extends Pick<RedeemedStageProps, 'branch' | 'bill' | 'onNext'> {
  row: TillRow
}

function Redeemed({ row, branch, bill, onNext }: RedeemedProps) {
  const [showing, setShowing] = useState(false)
  const connection = useSnapshot(connectivity)
  const voiding = useVoid(row)
  const { organisation_name: shop } = useUser()
  const hasReceipt = countsAsRedeemed(row) && !isVoiding(row)
  const receipt = { label: 'Receipt', run: () => setShowing(true) }
  const voidIt = { label: 'Void this redemption', cashierOnly: true, busy: voiding.busy, run: voiding.run }
  // What nobody could check is voided once the server knows it.
  const actions = isAtRisk(row) ? [receipt] : [voidIt, receipt]
  return (
    <>
      <VerdictStage
        verdict={redemptionVerdict(row, connection, takenOffBill(bill, row))}
        onNext={onNext}
        actions={hasReceipt ? actions : []}
      />
      {/* It may be lost or refused while somebody looks at it. */}
      {showing && hasReceipt && (
        <ReceiptDialog receipt={{ shop, ...receiptOf(row, branch) }} onClose={() => setShowing(false)} />
      )}
    </>
  )
}

const receiptOf = (row: TillRow, branch: string): ReceiptFacts => ({
  branch: row.receipt?.branch_name ?? branch,
  till: row.receipt?.till,
  cashier: row.receipt?.pos_username ?? row.owner_name,
  serial: row.serial,
  worth: worthOf(row),
  at: redeemedAt(row),
  number: row.receipt?.receipt_number,
  isAtRisk: isAtRisk(row),
})

function useReceiptGrace(since: number): boolean {
  const [withinGrace, setWithinGrace] = useState(true)
  useEffect(() => {
    const timer = setTimeout(() => setWithinGrace(false), Math.max(0, since + RECEIPT_GRACE_MS - Date.now()))
    return () => clearTimeout(timer)
  }, [since])
  return withinGrace
}
