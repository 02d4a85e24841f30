import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { useUser } from '../../../blocks/accounts/useUser.ts'
import { Money } from '../../../blocks/vouchers/Money.tsx'
import type { ReceiptVoucher } from '../../../blocks/vouchers/receipt.ts'
import { ReceiptDialog } from '../../../blocks/vouchers/ReceiptDialog.tsx'
import { formatSerial } from '../../../domain/vouchers.ts'
import { connectivity } from '../../../offline/connectivity/connectivity.ts'
import { tillDatabase } from '../../../offline/redemptions/openTill.ts'
import type { VoidResult } from '../../../offline/redemptions/Till.ts'
import { tillRowsByIds } from '../../../offline/redemptions/tillRows.ts'
import { useLiveQuery } from '../../../offline/storage/useLiveQuery.ts'
import { countsAsRedeemed, isAtRisk, isVoiding, sumCents, type TillRow } from '../../../offline/store/till.ts'
import { Button } from '../../../ui/Button.tsx'
import { ExactSentence } from '../../../ui/ExactSentence.tsx'
import type { Redeemed } from '../tray/Tray.ts'
import { redeemedAt } from '../useTillRows.ts'
import { useVoid, voidRedeemed } from '../VoidButton.tsx'
import { Serial } from './Ticket.tsx'
import { lineWord, trayVerdict } from './verdicts.ts'
import { VerdictStage } from './VerdictStage.tsx'

interface Props {
  redeemed: Redeemed
  /** The name of the branch, for a receipt that the server has not sent yet. */
  branch: string
  onNext: () => void
}

/** Shows one verdict on all vouchers of one press of Redeem. It changes with the rows on the device, for example from uploading to a receipt. */
export function RedeemedStage({ redeemed: { ids, bill }, branch, onNext }: Props) {
  const found = useLiveQuery(() => tillRowsByIds(tillDatabase(), ids), `till/${ids.join()}`)
  // In the order of the tray.
  const rows = ids.flatMap((id) => found?.find((row) => row.id === id) ?? [])
  return <RedeemedRows rows={rows} bill={bill} branch={branch} onNext={onNext} onVoid={voidRedeemed} />
}

interface RedeemedRowsProps
  extends Pick<Props, 'branch' | 'onNext'>, Pick<RowsProps, 'bill' | 'onVoid' | 'isPractice'> {
  rows: readonly TillRow[]
}

/** Shows rows that the parent reads: from the disk at the counter, from memory in practice. */
export function RedeemedRows({ rows: [first, ...others], ...props }: RedeemedRowsProps) {
  return first && <RowsStage first={first} others={others} {...props} />
}

interface RowsProps extends Pick<Props, 'branch' | 'onNext'> {
  first: TillRow
  others: readonly TillRow[]
  bill: number | undefined
  onVoid: (id: string) => Promise<VoidResult>
  /** Marks the receipts as practice. */
  isPractice?: boolean
}

function RowsStage({ first, others, bill, branch, onVoid, isPractice, onNext }: RowsProps) {
  const rows = [first, ...others]
  const connection = useSnapshot(connectivity)
  const { organisation_name: shop } = useUser()
  const [receiptRows, setReceiptRows] = useState<readonly TillRow[]>()
  const voiding = useVoid(first, onVoid)
  const printable = rows.filter(hasReceipt)
  const receipt = { label: 'Receipt', run: () => setReceiptRows(printable) }
  const voidIt = { label: 'Void this redemption', cashierOnly: true, busy: voiding.busy, run: voiding.run }
  const isOne = others.length === 0
  const actions = [...(isOne && canVoid(first) ? [voidIt] : []), ...(printable.length > 0 ? [receipt] : [])]
  // A voucher may turn out lost or refused while its receipt is open.
  const onPaper = receiptRows?.flatMap(({ id }) => printable.find((row) => row.id === id) ?? []) ?? []
  // The bill was for all vouchers: on the receipt of one voucher, too much would be left to pay.
  const billOnPaper = onPaper.length === printable.length ? bill : undefined
  return (
    <>
      <VerdictStage
        verdict={trayVerdict(first, others, connection, bill)}
        serial={first.serial}
        onNext={onNext}
        actions={actions}
        lines={
          isOne
            ? undefined
            : (isCashier) => (
                <ol
                  className="grid max-h-[60dvh] small:max-h-[34dvh] overflow-auto rounded-2 bg-surface text-text [--ground:var(--surface)]"
                  aria-label="Vouchers of this receipt"
                >
                  {rows.map((row) => (
                    <VoucherLine
                      key={row.id}
                      row={row}
                      onVoid={onVoid}
                      word={lineWord(row, connection)}
                      mayVoid={isCashier && canVoid(row)}
                      onReceipt={hasReceipt(row) ? () => setReceiptRows([row]) : undefined}
                    />
                  ))}
                </ol>
              )
        }
      />
      {onPaper.length > 0 && (
        <ReceiptDialog
          receipt={{
            shop,
            branch: onPaper[0]!.receipt?.branch_name ?? branch,
            ...receiptOf(onPaper, billOnPaper),
            isPractice,
          }}
          onClose={() => setReceiptRows(undefined)}
        />
      )}
    </>
  )
}

interface VoucherLineProps extends Pick<RowsProps, 'onVoid'> {
  row: TillRow
  word: string
  mayVoid: boolean
  onReceipt: (() => void) | undefined
}

function VoucherLine({ row, word, mayVoid, onVoid, onReceipt }: VoucherLineProps) {
  const { busy, run } = useVoid(row, onVoid)
  const serial = formatSerial(row.serial)
  return (
    <li className="grid grid-cols-[5.5rem_minmax(0,1fr)_auto] items-center gap-x-3 border-b border-border py-2 pr-2 pl-4 last:border-b-0">
      <b className={`text-xl font-strong ${countsAsRedeemed(row) ? '' : 'text-muted line-through decoration-2'}`}>
        <Money cents={sumCents([row])} />
      </b>
      <span>
        <strong className="block font-strong tiny:whitespace-nowrap">
          <ExactSentence text={word} />
        </strong>
        <Serial serial={row.serial} />
      </span>
      <span className="flex phone:flex-col tiny:col-span-full tiny:flex-row tiny:justify-end">
        {mayVoid && (
          <Button variant="quiet" aria-label={`Void ${serial}`} busy={busy} onClick={run}>
            Void
          </Button>
        )}
        {onReceipt && (
          <Button variant="quiet" aria-label={`Receipt of ${serial}`} onClick={onReceipt}>
            Receipt
          </Button>
        )}
      </span>
    </li>
  )
}

const hasReceipt = (row: TillRow) => countsAsRedeemed(row) && !isVoiding(row)

/** A voucher at the shop's risk can be voided only after the server has recorded it. */
const canVoid = (row: TillRow) => hasReceipt(row) && !isAtRisk(row)

function receiptOf(rows: readonly TillRow[], bill: number | undefined) {
  const [first] = rows
  return {
    till: first!.receipt?.till,
    cashier: first!.receipt?.pos_username ?? first!.owner_name,
    at: redeemedAt(first!),
    vouchers: rows.map(voucherOf),
    bill,
  }
}

const voucherOf = (row: TillRow): ReceiptVoucher => ({
  serial: row.serial,
  cents: sumCents([row]),
  number: row.receipt?.receipt_number,
  isAtRisk: isAtRisk(row),
})
