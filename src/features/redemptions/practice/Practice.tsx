import { Link } from '@tanstack/react-router'
import { useEffect, useState, type MouseEvent } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../../api/call.ts'
import { usePageTitle } from '../../../blocks/page/usePageTitle.ts'
import { Money } from '../../../blocks/vouchers/Money.tsx'
import type { User } from '../../../contract/accounts/user.ts'
import { notePractice } from '../../../contract/redemptions/counter.ts'
import { type Destination, homeOf } from '../../../domain/gate.ts'
import { formatSerial } from '../../../domain/vouchers.ts'
import type { TillRow } from '../../../offline/store/till.ts'
import { auth } from '../../../state/auth.ts'
import { tillDevice } from '../../../state/counter.ts'
import { Button, buttonClass } from '../../../ui/Button.tsx'
import { DRAWINGS } from '../../../ui/drawings.tsx'
import { Icon } from '../../../ui/Icon.tsx'
import { ICONS } from '../../../ui/icons.tsx'
import { CounterFrame } from '../CounterHeader.tsx'
import { TrayAnnouncements } from '../tray/TrayAnnouncements.tsx'
import { TrayStage } from '../tray/TrayStage.tsx'
import { useTray } from '../tray/useTray.ts'
import { useTrayScanner } from '../tray/useTrayScanner.ts'
import { AnnouncementRegion, useAnnouncement } from '../verdict/AnnouncementRegion.tsx'
import { RedeemedRows } from '../verdict/RedeemedStage.tsx'
import { createPracticeTill } from './practiceTill.ts'
import { PRACTICE_VOUCHERS, type PracticeVoucher } from './practiceVouchers.ts'

/** The counter with practice vouchers: the real screens, with a till that redeems nothing. Everybody who is logged in may practise. */
export function PracticePage() {
  usePageTitle('Practise')
  const { user } = useSnapshot(auth)
  const { names } = useSnapshot(tillDevice)
  // Without a user, /login is about to replace this page.
  return user && <Practice key={user.guid} user={user} till={names[user.branch_guid ?? '']} />
}

function Practice({ user, till = 'Practice' }: { user: User; till: string | undefined }) {
  const { guid, login_name, branch_guid } = user
  const branch = user.branch_name ?? user.organisation_name
  const [rows, setRows] = useState<readonly TillRow[]>([])
  const [{ ports, voidRedeemed }] = useState(() => createPracticeTill(branch, setRows))
  const cashier = { owner: guid, owner_name: login_name, till, branch: branch_guid ?? '', needsPin: false }
  const { tray, state } = useTray(cashier, ports)
  const scan = useTrayScanner(tray, state)
  const { redeemed } = state
  useAnnouncement(`${PRACTICE}.`)
  const hasRedeemed = redeemed !== undefined
  useEffect(() => {
    // If this call fails, the next practice makes it again.
    if (hasRedeemed) void call(notePractice).catch(() => undefined)
  }, [hasRedeemed])
  return (
    <CounterFrame practice>
      <PracticeBar end={homeOf(user)} />
      <AnnouncementRegion />
      <TrayAnnouncements rows={state.rows} rescan={state.rescan} redeemed={redeemed} />
      {redeemed ? (
        <RedeemedRows
          key={redeemed.ids.join()}
          rows={redeemed.ids.flatMap((id) => rows.find((row) => row.id === id) ?? [])}
          bill={redeemed.bill}
          branch={branch}
          onVoid={voidRedeemed}
          isPractice
          onNext={() => tray.closeVerdict()}
        />
      ) : (
        <TrayStage
          tray={tray}
          state={state}
          onScan={scan}
          onRemove={doNothing}
          papers={<PaperVouchers onScan={scan} />}
        />
      )}
    </CounterFrame>
  )
}

const PRACTICE = 'Practice: nothing is redeemed'

const doNothing = () => undefined

/**
 * The bar at the top. It has a colour of its own and covers even the view that a customer is shown, so that practice is never taken for the real
 * counter.
 */
const PracticeBar = ({ end }: { end: Destination }) => (
  <header className="sticky top-0 z-13 flex min-h-16 flex-none items-center gap-3 bg-stub py-2 pr-[calc(var(--gutter)-0.5rem)] pl-(--gutter) text-verdict-ink [--ground:var(--stub)] forced-colors:border-2 forced-colors:text-text print:hidden">
    <Icon drawing={ICONS.alert} className="tiny:hidden" />
    <b className="mr-auto text-xl leading-6 font-strong phone:text-base/[1.25rem]">{PRACTICE}</b>
    <Link to={end} className={`${buttonClass()} shrink-0 focus-visible:outline-verdict-ink`}>
      End practice
    </Link>
  </header>
)

/** Shows the practice vouchers. Pressing a voucher scans it. */
function PaperVouchers({ onScan }: { onScan: (serial: string) => void }) {
  const press = ({ currentTarget, detail }: MouseEvent<HTMLButtonElement>, serial: string) => {
    // After a tap or click the button loses the focus, so that Enter redeems. A button pressed by keyboard keeps the focus.
    if (detail > 0) currentTarget.blur()
    onScan(serial)
  }
  return (
    <section className="grid grid-rows-[auto_1fr] gap-3" aria-labelledby="papers">
      <div className="flex items-center justify-between">
        <div>
          <h2 id="papers" className="phone:sr-only">
            Paper vouchers
          </h2>
          <p className="text-muted">Press one to scan it. Each can be used again.</p>
        </div>
        <span className="-my-3 phone:hidden">{DRAWINGS.practice}</span>
      </div>
      <div className="grid auto-rows-fr grid-cols-6 gap-2">
        {PRACTICE_VOUCHERS.map((paper) => (
          <Button
            key={paper.serial}
            className={`${paper.result === 'good' ? 'col-span-2' : 'col-span-3'} border-dashed px-2! text-xl whitespace-normal! phone:text-base`}
            onClick={(event) => press(event, paper.serial)}
          >
            <PaperFace {...paper} />
          </Button>
        ))}
      </div>
    </section>
  )
}

const PaperFace = ({ name, cents, serial, result }: PracticeVoucher) => (
  <span className="grid justify-items-center gap-1 py-2 phone:gap-0 phone:leading-[1.25]">
    <span>{result === 'good' ? `${name} ` : name}</span>
    {result === 'good' && (
      <b className="text-3xl font-strong phone:text-base">
        <Money cents={cents} />
      </b>
    )}
    {/* This number can be typed on the keypad. */}
    <small className="text-sm text-muted phone:hidden" translate="no">
      {formatSerial(serial)}
    </small>
  </span>
)
