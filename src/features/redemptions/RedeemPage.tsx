import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../api/call.ts'
import { ChangePasswordDialog } from '../../blocks/accounts/passwords/ChangePasswordDialog.tsx'
import { StorageNotice } from '../../blocks/devices/StorageNotice.tsx'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { lazyAfterFirstPaint } from '../../blocks/lazy/lazyWithRetry.tsx'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { Money } from '../../blocks/vouchers/Money.tsx'
import { useHandScanner } from '../../blocks/vouchers/useHandScanner.ts'
import { myInfo } from '../../contract/accounts/account.ts'
import type { User } from '../../contract/accounts/user.ts'
import type { Till } from '../../contract/redemptions/counter.ts'
import { failedChecks } from '../../domain/devices/shiftCheck.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatTime, singaporeDay } from '../../domain/singaporeTime.ts'
import { scanProblem, serialFromScan } from '../../domain/vouchers.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { auth } from '../../state/auth.ts'
import { bill, tillDevice, tillForgotten, tillNamed } from '../../state/counter.ts'
import { shiftCheck } from '../../state/shiftCheck.ts'
import { service } from '../../state/unsavedWork.ts'
import { Actions, buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Exact } from '../../ui/Panel.tsx'
import { usePageVisible } from '../../ui/usePageVisible.ts'
import { isCovered } from '../../ui/useRootClass.ts'
import { CodeStrip, PasswordStrip } from './AskStrips.tsx'
import { BillBar, StartBill } from './bill/BillBar.tsx'
import { useBills, useVouchersOnBills } from './bill/useBills.ts'
import { CounterBar, CounterFrame, CounterHeader } from './CounterHeader.tsx'
import { isBetweenCustomers, serialInHand, type CounterState } from './counterState.ts'
import { MyDay } from './day/MyDay.tsx'
import { isRedeemed, sumOfEntries, tillsText, useMyDay, type MyDayNow } from './day/useMyDay.ts'
import { useKnownTill, usePutOffCode } from './knownTill.ts'
import { refuseScan } from './refuseScan.ts'
import { SetUpTill } from './SetUpTill.tsx'
import { CounterStage } from './stages/CounterStage.tsx'
import { TillReady } from './TillReady.tsx'
import { UploadStrips } from './UploadStrips.tsx'
import { useCounter } from './useCounter.ts'
import { useTillRows, useToday } from './useTillRows.ts'
import { useUploaded } from './useUploaded.ts'
import { SaidRegion } from './verdict/SaidRegion.tsx'

export type CounterView = 'day' | undefined

/** The counter, full screen. A device is named before its first voucher: holds and receipts carry the name. */
export function RedeemPage({ view, code }: { view: CounterView; code: string | undefined }) {
  usePageTitle(view === 'day' ? 'My day' : 'Redeem')
  const { user } = useSnapshot(auth)
  const device = useSnapshot(tillDevice)
  // Just logged out: /login is about to replace this page.
  if (!user) return null
  const till = device.names[user.branch_guid ?? '']
  if (view === 'day') return <MyDay {...{ user, till }} />
  // Another cashier, logged in by another tab, gets a counter of their own.
  return <CounterOrSetUp key={user.guid} {...{ user, till, code }} device={device.guid} />
}

interface PlaceProps {
  user: User
  till: string | undefined
  device: string
  code: string | undefined
}

function CounterOrSetUp({ user, till, device, code }: PlaceProps) {
  const navigate = useNavigate()
  const rules = useCounterRules(user.guid)
  const [entersCode, setEntersCode] = useState(code !== undefined)
  const [made, setMade] = useState<Till>()
  const known = useKnownTill(user.branch_guid ?? '')
  const putOff = usePutOffCode()
  const mayName = rules?.unenrolled_tills !== 'refused'
  const close = () => {
    setEntersCode(false)
    setMade(undefined)
    void navigate({ to: '/redeem', replace: true })
  }
  const notNow = () => {
    putOff()
    close()
  }
  if (made) return <TillReady {...{ user, till: made }} onDone={close} />
  if (till === undefined || entersCode) {
    const setUp = { user, code, mayName, isRevoked: known === 'revoked', onTill: setMade }
    return <SetUpTill {...setUp} {...(till === undefined ? {} : { onNotNow: notNow })} />
  }
  return (
    <Counter
      {...{ user, till, device }}
      needsPin={rules?.pin_required ?? false}
      {...(known === 'not enrolled' ? { onCode: () => setEntersCode(true) } : {})}
    />
  )
}

interface Props {
  user: User
  till: string
  device: string
  needsPin: boolean
  /** Of a till that nobody has enrolled: the cashier has a code of the manager. */
  onCode?: () => void
}

function Counter({ user, till, device, needsPin, onCode }: Props) {
  const branch = user.branch_guid ?? ''
  const counter = useCounter({ owner: user.guid, owner_name: user.login_name, till: device, branch }, needsPin)
  const { state, verify, finishBill } = counter
  const finished = state.at === 'bill' ? state.bill : undefined
  const rows = useTillRows(useVouchersOnBills(finished))
  const myDay = useMyDay(user.guid, rows.all)
  const bills = useBills(finished, rows.all)
  const isEnrolled = useSnapshot(tillDevice).enrolled.includes(branch)
  const [hasServed, setHasServed] = useState(false)
  const [changing, setChanging] = useState(false)
  const printsBill = state.at === 'bill'
  const isFree = isBetweenCustomers(state) || state.at === 'redeemed'
  if (isFree && state.at !== 'ready' && !hasServed) setHasServed(true)
  // After a verdict a scan begins the next voucher. What cannot be one must not stand in the place of "Redeemed".
  useHandScanner({
    mayTake: () => isFree && !counter.isBusy() && !isCovered(),
    onScan: (scanned) => {
      if (state.at === 'redeemed' && scanProblem(scanned)) refuseScan(scanned, 'redeemed')
      else void verify(scanned)
    },
    // A scanner that goes on reading what lies before it sends the voucher in hand again.
    onRefused: (scanned) =>
      serialFromScan(scanned) !== serialInHand(state) && refuseScan(scanned, isCovered() ? 'dialog' : 'voucher'),
  })
  // A redemption is on the disk, so an update may reload the page then; in the middle of a step it may not.
  useUnsavedWork('counter', !isFree)
  const isIdle = state.at === 'ready' && !bills.open
  useService(!isIdle)
  useUploaded(rows.all, state.at === 'redeemed' ? state.id : undefined)
  useWakeLock()
  useBillEnd(state.at === 'ready', finishBill)
  useNameOfHold(user, till, state)
  const next = () => {
    if (state.at === 'refused' && NO_TILL.includes(state.refused.code)) tillForgotten(branch)
    counter.next()
  }
  return (
    <CounterFrame paper={printsBill}>
      {/* Header and strips each on their own: only the header stays in view. */}
      <div className={printsBill ? 'contents print:hidden' : 'contents'}>
        <CounterHeader {...{ user, till }} />
        <SaidRegion />
        <StorageNotice className="px-4 pt-4" />
        {/* The verdict on the screen says itself that it is uploading. */}
        <UploadStrips {...rows} {...(state.at === 'redeemed' && { uploading: [], atRisk: [], voiding: [] })} />
        {isEnrolled && <AllowanceMeter {...{ branch }} atRisk={rows.atRisk.length} isShown={state.at === 'ready'} />}
        {bills.open && <BillBar bill={bills.open} onFinish={isFree ? finishBill : undefined} />}
        {/* Nothing is in hand. Only the code is asked for at once; a password is, when the first customer is done. */}
        {isIdle && (
          <>
            {hasServed && <PasswordStrip onChange={() => setChanging(true)} />}
            {onCode && <CodeStrip onCode={onCode} />}
          </>
        )}
      </div>
      {/* Instead of the stage: its camera would read a voucher behind the dialog. */}
      {changing ? (
        <ChangePasswordDialog open onClose={() => setChanging(false)} />
      ) : (
        <CounterStage
          {...{ till, bills }}
          counter={{ ...counter, next }}
          branch={user.branch_name ?? ''}
          foot={<DayBar {...{ user, myDay }} inHand={state.at === 'confirm'} />}
        />
      )}
    </CounterFrame>
  )
}

const AllowanceMeter = lazyAfterFirstPaint(async () => (await import('./allowance/AllowanceMeter.tsx')).AllowanceMeter)

/** The server does not take this device for a till of the branch: it is set up anew, once the cashier has read so. */
const NO_TILL = ['TILL_UNKNOWN', 'TILL_REVOKED', 'TILL_NOT_ENROLLED']

/** Whoever manages the branch may have renamed this till: the server says so with the next hold. */
function useNameOfHold({ branch_guid }: User, till: string, state: CounterState): void {
  const said = state.at === 'confirm' ? state.row.hold?.till : undefined
  useEffect(() => {
    if (said !== undefined && said !== till && branch_guid) tillNamed(branch_guid, said)
  }, [said, till, branch_guid])
}

/** What can wait for the idle counter asks there. */
function useService(isUnderWay: boolean): void {
  useEffect(() => {
    service.isUnderWay = isUnderWay
    return () => void (service.isUnderWay = false)
  }, [isUnderWay])
}

/** A bill ends with its day: its sums are shown as soon as nothing else has to be read. */
function useBillEnd(isReady: boolean, finish: () => void): void {
  const { open, day } = useSnapshot(bill)
  const isOver = useToday() !== day && open
  const end = useEffectEvent(finish)
  useEffect(() => {
    if (isOver && isReady) end()
  }, [isOver, isReady])
}

/**
 * Whether each voucher needs the branch's PIN (rule 6.2), and each till a code of its manager. Until that is known, the server says so
 * where it does.
 */
function useCounterRules(owner: string) {
  const { data } = useCachedRead(owner, 'account.my_info', myInfo.answer, (signal) => call(myInfo, { signal }))
  return data?.counter
}

/** Keeps the screen on between customers. The browser releases the lock when the page is hidden, so it is asked again later. */
function useWakeLock(): void {
  const visible = usePageVisible()
  useEffect(() => {
    if (!visible || !('wakeLock' in navigator)) return undefined
    // Refused when the battery is low: then the device's own setting counts.
    const lock = navigator.wakeLock.request('screen').catch(() => undefined)
    return () => void lock.then((given) => given?.release())
  }, [visible])
}

interface DayBarProps {
  user: User
  myDay: MyDayNow
  /** A voucher waits for a decision. */
  inHand: boolean
}

/** The figure of My day, and for which tills it stands. Works without a connection. */
function DayBar({ user, myDay, inHand }: DayBarProps) {
  const redeemed = myDay.entries.filter(isRedeemed)
  const risky = myDay.entries.filter(({ state }) => state === 'At risk')
  const last = myDay.entries.find((entry) => redeemed.includes(entry) || risky.includes(entry))
  return (
    <CounterBar labelledBy="today">
      <span className="phone:hidden">
        <Icon drawing={ICONS.list} />
      </span>
      <div className="grid leading-5">
        <h2 id="today">
          <span>{`Today ${pluralize(redeemed.length, 'voucher')}, `}</span>
          <Money cents={sumOfEntries(redeemed)} />
        </h2>
        <div className="flex flex-wrap items-center gap-x-3 text-sm text-muted">
          <span>
            <Exact>{user.login_name}</Exact>
            <span>{`, ${tillsText(myDay)}`}</span>
          </span>
          {risky.length > 0 && (
            <span>
              <Money cents={sumOfEntries(risky)} /> more at the shop’s risk
            </span>
          )}
          {last && (
            <span className="phone:hidden">
              <span>Last: </span>
              <Money cents={last.denomination_cents} />
              <span>{` ${last.state === 'At risk' ? 'accepted' : 'redeemed'} ${formatTime(last.at)}`}</span>
            </span>
          )}
          {!last && !inHand && <CheckLink />}
        </div>
      </div>
      <Actions className="ml-auto max-[481px]:grid">
        <StartBill />
        <Link to="/redeem" search={{ view: 'day' }} className={buttonClass()}>
          My day
        </Link>
      </Actions>
    </CounterBar>
  )
}

/** The check before opening, until this till was found good today. As tall as a finger, in a line of its own words. */
function CheckLink() {
  const { last } = useSnapshot(shiftCheck)
  const today = useToday()
  const isGood = last && singaporeDay(new Date(last.at)) === today && failedChecks(last.outcomes).length === 0
  if (isGood) return null
  return (
    <Link
      to="/settings/device/$part"
      params={{ part: 'check' }}
      className="-my-[0.875rem] inline-flex min-h-control items-center justify-self-start text-sm"
    >
      Check this till
    </Link>
  )
}
