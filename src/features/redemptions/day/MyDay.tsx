import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ChangePasswordDialog } from '../../../blocks/accounts/passwords/ChangePasswordDialog.tsx'
import { useCurrentMinute } from '../../../blocks/cached/useCurrentMinute.ts'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import { PrintButton, PrintOutcome, usePrinting } from '../../../blocks/printers/usePrinting.tsx'
import type { ReceiptFacts } from '../../../blocks/vouchers/receipt.ts'
import { ReceiptDialog } from '../../../blocks/vouchers/ReceiptDialog.tsx'
import { ReceiptPaper } from '../../../blocks/vouchers/ReceiptPaper.tsx'
import type { User } from '../../../contract/accounts/user.ts'
import { formatCents } from '../../../domain/money.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { formatLongDay, formatTime, startOfDay } from '../../../domain/singaporeTime.ts'
import { uploadNow } from '../../../offline/redemptions/openTill.ts'
import { sumCents, type TillRow } from '../../../offline/store/till.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Exact, Facts, Figures, Panel } from '../../../ui/Panel.tsx'
import { useRootClass } from '../../../ui/useRootClass.ts'
import { CounterFrame, CounterHeader } from '../CounterHeader.tsx'
import { useScanRefusal } from '../refuseScan.ts'
import { UploadStrips } from '../UploadStrips.tsx'
import { redeemedAt, useTillRows } from '../useTillRows.ts'
import { DayTable, hasReceipt } from './DayTable.tsx'
import { shiftSummary, shiftSums } from './shiftSummary.ts'
import { isRedeemed, sumOfEntries, tillsText, useMyDay, type DayEntry } from './useMyDay.ts'

/** Shows what this cashier redeemed today, what waits for upload, and what was refused. Works offline. */
export function MyDay({ user, till }: { user: User; till: string | undefined }) {
  useRootClass('prints-page')
  const { all, uploading, atRisk, voiding, attention } = useTillRows()
  const myDay = useMyDay(user.guid, all)
  const { day, entries } = myDay
  const offline = useOffline()
  const summary = shiftSummary({ ...myDay, user, till, now: useCurrentMinute() })
  const printing = usePrinting(summary)
  useScanRefusal('day')
  const [isChangingPassword, setChangingPassword] = useState(false)
  const [receiptId, setReceiptId] = useState<string>()
  // A voucher may turn out lost or refused while its receipt is open.
  const receipt = entriesOfTray(entries, receiptId).filter(hasReceipt)
  const upload = () => {
    void uploadNow()
    myDay.retry()
  }
  return (
    <CounterFrame paper>
      <CounterHeader
        user={user}
        till={till}
        back={
          <Link to="/redeem" className={`${buttonClass({ variant: 'quiet' })} phone:px-1`}>
            <Icon drawing={ICONS.left} />
            Counter
          </Link>
        }
      />
      {/* The page scrolls as a whole, below the counter's header. */}
      <main
        className="flex-1 bg-canvas px-4 py-6 print:max-w-[72mm] print:bg-transparent print:p-0"
        id="main"
        tabIndex={-1}
      >
        <div className="mx-auto grid max-w-[64rem] gap-4 print:hidden">
          <PageHeader
            title="My day"
            note={
              <>
                <span>{`${formatLongDay(startOfDay(day))}. Redeemed by `}</span>
                <Exact>{user.login_name}</Exact>
                <span>{`, ${tillsText(myDay)}. Also readable without a connection.`}</span>
              </>
            }
            actions={
              <>
                {!offline && (
                  <Button icon={ICONS.refresh} onClick={upload}>
                    Upload now
                  </Button>
                )}
                <PrintButton {...printing} label="Print summary" />
                <Button onClick={() => setChangingPassword(true)}>Change password</Button>
                <Link to="/help" className={buttonClass()}>
                  Help
                </Link>
              </>
            }
          />
          <PrintOutcome {...printing} />
          <DayFigures entries={entries} uploading={uploading} atRisk={atRisk} attention={attention} />
          <UploadStrips uploading={[]} atRisk={[]} voiding={voiding} attention={attention} />
          <DayTable entries={entries} onReceipt={({ id }) => setReceiptId(id)} />
          <Panel title="Shift summary">
            <Facts facts={shiftSums(entries)} />
          </Panel>
          {receipt.length > 0 && (
            <ReceiptDialog receipt={receiptOf(receipt, user)} onClose={() => setReceiptId(undefined)} />
          )}
          <ChangePasswordDialog open={isChangingPassword} onClose={() => setChangingPassword(false)} />
        </div>
        <div className="hidden print:block">
          <ReceiptPaper {...summary} />
        </div>
      </main>
    </CounterFrame>
  )
}

/** Returns all vouchers that were confirmed in the same moment as the voucher `id`, in the order of their tray. */
function entriesOfTray(entries: readonly DayEntry[], id: string | undefined): DayEntry[] {
  const asked = entries.find((entry) => entry.id === id)
  const at = asked?.row?.confirmedAt
  return entries.filter((entry) => entry === asked || (at !== undefined && entry.row?.confirmedAt === at)).toReversed()
}

const receiptOf = (entries: readonly DayEntry[], user: User): ReceiptFacts => ({
  shop: user.organisation_name,
  branch: user.branch_name ?? user.organisation_name,
  till: entries[0]!.till,
  cashier: user.login_name,
  at: entries[0]!.at,
  vouchers: entries.map((entry) => ({
    serial: entry.serial,
    cents: entry.denomination_cents,
    number: entry.receipt_number,
    isAtRisk: entry.state === 'At risk',
    voidedAt: entry.voidedAt,
  })),
})

interface DayFiguresProps {
  entries: readonly DayEntry[]
  uploading: readonly TillRow[]
  atRisk: readonly TillRow[]
  attention: readonly TillRow[]
}

/** Shows the sums of the day: the total, what waits on this till and, separately, what is at the shop's risk. */
function DayFigures({ entries, uploading, atRisk, attention }: DayFiguresProps) {
  const redeemed = entries.filter(isRedeemed)
  const oldest = uploading[0] ? `, oldest ${formatTime(redeemedAt(uploading[0]))}` : ''
  return (
    <Figures
      figures={[
        ['Today', formatCents(sumOfEntries(redeemed)), voucherCount(redeemed)],
        ['Waiting for upload', formatCents(sumCents(uploading)), `${voucherCount(uploading)} on this till${oldest}`],
        ...(atRisk.length > 0
          ? [['At the shop’s risk', formatCents(sumCents(atRisk)), voucherCount(atRisk)] as const]
          : []),
        ['Needs attention', formatCents(sumCents(attention)), voucherCount(attention)],
      ]}
    />
  )
}

const voucherCount = ({ length }: readonly unknown[]) => pluralize(length, 'voucher')
