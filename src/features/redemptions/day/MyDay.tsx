import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { ChangePasswordDialog } from '../../../blocks/accounts/passwords/ChangePasswordDialog.tsx'
import { useOffline } from '../../../blocks/connectivity/useOffline.ts'
import type { ReceiptFacts } from '../../../blocks/vouchers/receipt.ts'
import { ReceiptDialog } from '../../../blocks/vouchers/ReceiptDialog.tsx'
import { useHandScanner } from '../../../blocks/vouchers/useHandScanner.ts'
import type { User } from '../../../contract/accounts/user.ts'
import { formatCents } from '../../../domain/money.ts'
import { onFirstUse } from '../../../domain/onFirstUse.ts'
import { pluralize } from '../../../domain/quantities.ts'
import { formatAsOf, formatTime } from '../../../domain/singaporeTime.ts'
import { uploadNow } from '../../../offline/redemptions/openTill.ts'
import { persistence, readPersistence, requestPersistence } from '../../../offline/storage/storageHealth.ts'
import { sumCents, type TillRow } from '../../../offline/store/till.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { Notice } from '../../../ui/Notice.tsx'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { Facts, Figures, Panel, type Fact } from '../../../ui/Panel.tsx'
import { CounterFrame, CounterHeader } from '../CounterHeader.tsx'
import { refuseScan } from '../refuseScan.ts'
import { UploadStrips } from '../UploadStrips.tsx'
import { redeemedAt, useTillRows, useToday } from '../useTillRows.ts'
import { DayTable, hasReceipt } from './DayTable.tsx'
import { useMyDay, type DayEntry } from './useMyDay.ts'

/** What this cashier redeemed today, what still waits for upload, and what was refused. Readable without a connection. */
export function MyDay({ user, till }: { user: User; till: string | undefined }) {
  const day = useToday()
  const { read, entries } = useMyDay(user.guid, day)
  const { uploading, atRisk, voiding, attention } = useTillRows(user.guid)
  const offline = useOffline()
  const refuse = (scanned: string) => refuseScan(scanned, 'day')
  useHandScanner({ onScan: refuse, onRefused: refuse })
  const [changing, setChanging] = useState(false)
  const [shown, setShown] = useState<string>()
  // It may be lost or refused while somebody looks at it.
  const receipt = entries.find((entry) => entry.id === shown && hasReceipt(entry))
  const [now] = useState(() => new Date())
  const age = offline && read.asOf ? ` Other tills as of ${formatAsOf(read.asOf, now)}.` : ''
  const upload = () => {
    void uploadNow()
    read.retry()
  }
  return (
    <CounterFrame paper>
      <CounterHeader
        {...{ user, till }}
        back={
          <Link to="/redeem" className={`${buttonClass({ variant: 'quiet' })} phone:px-1`}>
            <Icon drawing={ICONS.left} />
            Counter
          </Link>
        }
      />
      {/* A page of its own under the counter's header, scrolled as one. */}
      <main
        className="flex-1 bg-canvas px-4 py-6 print:max-w-[72mm] print:bg-transparent print:p-0"
        id="main"
        tabIndex={-1}
      >
        <div className="mx-auto grid max-w-[64rem] gap-4">
          <PageHeader
            title="My day"
            note={`${longDay(day)}, ${user.login_name}${till ? ` on ${till}` : ''}. Also readable without a connection.${age}`}
            actions={
              <>
                {!offline && (
                  <Button icon={ICONS.refresh} onClick={upload}>
                    Upload now
                  </Button>
                )}
                <Button onClick={() => print()}>Print summary</Button>
                <Button onClick={() => setChanging(true)}>Change password</Button>
                <Link to="/help" className={buttonClass()}>
                  Help
                </Link>
              </>
            }
          />
          <DayFigures {...{ entries, uploading, atRisk, attention }} />
          <UploadStrips uploading={[]} atRisk={[]} {...{ voiding, attention }} />
          <div className="print:hidden">
            <DayTable entries={entries} onReceipt={({ id }) => setShown(id)} />
          </div>
          <ShiftSummary entries={entries} />
          <PersistenceNotice />
          {receipt && <ReceiptDialog receipt={receiptOf(receipt, user)} onClose={() => setShown(undefined)} />}
          <ChangePasswordDialog open={changing} onClose={() => setChanging(false)} />
        </div>
      </main>
    </CounterFrame>
  )
}

const receiptOf = (entry: DayEntry, user: User): ReceiptFacts => ({
  branch: user.branch_name ?? user.organisation_name,
  till: entry.till,
  cashier: user.login_name,
  serial: entry.serial,
  worth: formatCents(entry.denomination_cents),
  at: entry.at,
  number: entry.receipt_number,
  isAtRisk: entry.state === 'At risk',
})

const LONG = onFirstUse(
  () =>
    new Intl.DateTimeFormat('en-SG', {
      timeZone: 'UTC',
      weekday: 'long',
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    }),
)

/** A calendar day has no time zone, so it is read and written in UTC. */
const longDay = (day: string) => LONG().format(new Date(`${day}T00:00:00Z`))

/** Says that the browser may clear what this till has not uploaded, and lets the cashier ask it for persistent storage. */
function PersistenceNotice() {
  const { granted } = useSnapshot(persistence)
  useEffect(() => void readPersistence(), [])
  if (granted !== false) return null
  return (
    <Notice
      tone="warn"
      title="Offline data not protected"
      action={<Button onClick={() => void requestPersistence()}>Ask again</Button>}
    >
      <p>
        If this device runs out of space, vouchers waiting to upload may be deleted. Install the portal to prevent this.
      </p>
    </Notice>
  )
}

interface DayFiguresProps {
  entries: readonly DayEntry[]
  uploading: readonly TillRow[]
  atRisk: readonly TillRow[]
  attention: readonly TillRow[]
}

/** The sums a cashier looks for: redeemed at the server, waiting for upload, refused, and apart from them what is at the shop's risk. */
function DayFigures({ entries, uploading, atRisk, attention }: DayFiguresProps) {
  const redeemed = entries.filter(({ state }) => state === 'Redeemed')
  const oldest = uploading[0] ? `, oldest ${formatTime(redeemedAt(uploading[0]))}` : ''
  return (
    <Figures
      figures={[
        ['Redeemed', formatCents(sumOfEntries(redeemed)), voucherCount(redeemed)],
        ['Uploading', formatCents(sumCents(uploading)), `${voucherCount(uploading)}${oldest}`],
        ...(atRisk.length > 0
          ? [['At the shop’s risk', formatCents(sumCents(atRisk)), voucherCount(atRisk)] as const]
          : []),
        ['Needs attention', formatCents(sumCents(attention)), voucherCount(attention)],
      ]}
    />
  )
}

/** At the end of a shift: how many of each denomination, to compare with the paper vouchers. */
function ShiftSummary({ entries }: { entries: readonly DayEntry[] }) {
  const redeemed = entries.filter(({ state }) => state === 'Redeemed' || state === 'Uploading')
  const voided = entries.filter(({ state }) => state === 'Voided')
  const denominations = [...new Set(redeemed.map(({ denomination_cents }) => denomination_cents))].toSorted(
    (a, b) => a - b,
  )
  const facts: Fact[] = denominations.map((cents) => {
    const of = redeemed.filter(({ denomination_cents }) => denomination_cents === cents)
    return [formatCents(cents), countAndSum(of)]
  })
  const apart = (['At risk', 'Lost'] as const).flatMap((state): Fact[] => {
    const of = entries.filter((entry) => entry.state === state)
    return of.length === 0 ? [] : [[state === 'Lost' ? 'Lost' : 'At the shop’s risk', countAndSum(of)]]
  })
  return (
    <Panel title="Summary of the shift">
      <Facts facts={[...facts, ['All', countAndSum(redeemed)], ...apart, ['Voided', countAndSum(voided)]]} />
    </Panel>
  )
}

const voucherCount = ({ length }: readonly unknown[]) => pluralize(length, 'voucher')

const sumOfEntries = (entries: readonly DayEntry[]) =>
  entries.reduce((sum, { denomination_cents }) => sum + denomination_cents, 0)

const countAndSum = (entries: readonly DayEntry[]) => `${voucherCount(entries)}, ${formatCents(sumOfEntries(entries))}`
