import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../api/call.ts'
import { ChangePasswordDialog } from '../../blocks/accounts/passwords/ChangePasswordDialog.tsx'
import { StorageNotice } from '../../blocks/devices/StorageNotice.tsx'
import { useUnsavedWork } from '../../blocks/drafts/useDraft.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { refreshReferenceList } from '../../blocks/reference-lists/refreshReferenceList.ts'
import { Money } from '../../blocks/vouchers/Money.tsx'
import { myInfo } from '../../contract/accounts/account.ts'
import type { User } from '../../contract/accounts/user.ts'
import { askAllowance } from '../../contract/redemptions/allowanceEndpoints.ts'
import type { Till } from '../../contract/redemptions/counter.ts'
import { pluralize } from '../../domain/quantities.ts'
import { formatTime } from '../../domain/singaporeTime.ts'
import { keepAllowanceFresh } from '../../offline/allowance/keepAllowanceFresh.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { auth } from '../../state/auth.ts'
import { tillDevice, forgetTillAt, storeTillName } from '../../state/counter.ts'
import { service } from '../../state/unsavedWork.ts'
import { Actions, buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Exact } from '../../ui/Panel.tsx'
import { usePageVisible } from '../../ui/usePageVisible.ts'
import { CodeStrip, PasswordStrip } from './AskStrips.tsx'
import { CounterBar, CounterFrame, CounterHeader } from './CounterHeader.tsx'
import { MyDay } from './day/MyDay.tsx'
import { isRedeemed, sumOfEntries, tillsText, useMyDay, type MyDayNow } from './day/useMyDay.ts'
import { PractiseLink } from './practice/PractiseLink.tsx'
import { SetUpTill } from './SetUpTill.tsx'
import { useEnrolmentProblem, usePostponeCode } from './tillEnrolment.ts'
import { TillReady } from './TillReady.tsx'
import { PinStage } from './tray/PinStage.tsx'
import { isChecking, type TrayRow } from './tray/Tray.ts'
import { TrayAnnouncements } from './tray/TrayAnnouncements.tsx'
import { TrayStage } from './tray/TrayStage.tsx'
import { COUNTER_PORTS, useTray } from './tray/useTray.ts'
import { useTrayScanner } from './tray/useTrayScanner.ts'
import { UploadStrips } from './UploadStrips.tsx'
import { useTillRows } from './useTillRows.ts'
import { useUploaded } from './useUploaded.ts'
import { AnnouncementRegion } from './verdict/AnnouncementRegion.tsx'
import { RedeemedStage } from './verdict/RedeemedStage.tsx'

export type CounterView = 'day' | undefined

/** The counter, full screen. A device gets its name before its first voucher, because holds and receipts carry the name. */
export function RedeemPage({ view }: { view: CounterView }) {
  usePageTitle(view ? 'My day' : 'Redeem')
  const { user } = useSnapshot(auth)
  const device = useSnapshot(tillDevice)
  // Without a user, /login is about to replace this page.
  if (!user) return null
  const till = device.names[user.branch_guid ?? '']
  if (view === 'day') return <MyDay user={user} till={till} />
  // A cashier who logs in from another tab gets a new counter.
  return <CounterOrSetUp key={user.guid} user={user} till={till} device={device.guid} />
}

interface PlaceProps {
  user: User
  till: string | undefined
  device: string
}

function CounterOrSetUp({ user, till, device }: PlaceProps) {
  const rules = useCounterRules(user.guid)
  const [entersCode, setEntersCode] = useState(false)
  const [newTill, setNewTill] = useState<Till>()
  const problem = useEnrolmentProblem(user.branch_guid ?? '')
  const postpone = usePostponeCode()
  const mayName = rules?.unenrolled_tills !== 'refused'
  const close = () => {
    setEntersCode(false)
    setNewTill(undefined)
  }
  const postponeCode = () => {
    postpone()
    close()
  }
  if (newTill) return <TillReady user={user} till={newTill} branch={user.branch_name ?? ''} onDone={close} />
  if (till === undefined || entersCode) {
    const setUp = { user, mayName, isRevoked: problem === 'revoked', onTill: setNewTill }
    return <SetUpTill {...setUp} {...(till === undefined ? {} : { onNotNow: postponeCode })} />
  }
  return (
    <Counter
      user={user}
      till={till}
      device={device}
      needsPin={rules?.pin_required ?? false}
      {...(problem === 'not enrolled' ? { onCode: () => setEntersCode(true) } : {})}
    />
  )
}

interface Props {
  user: User
  till: string
  device: string
  needsPin: boolean
  /** Opens the form for the manager's code, on a till that is not enrolled. */
  onCode?: () => void
}

function Counter({ user, till, device, needsPin, onCode }: Props) {
  const branch = user.branch_guid ?? ''
  const cashier = { owner: user.guid, owner_name: user.login_name, till: device, branch, needsPin }
  const { tray, state } = useTray(cashier, COUNTER_PORTS)
  const scan = useTrayScanner(tray, state)
  const { redeemed } = state
  const rows = useTillRows()
  const myDay = useMyDay(user.guid, rows.all)
  const [hasServed, setHasServed] = useState(false)
  const [isChangingPassword, setChangingPassword] = useState(false)
  const isIdle = state.rows.length === 0 && !redeemed
  if (!isIdle && !hasServed) setHasServed(true)
  // No update may reload the page while vouchers are in the tray. Redeemed vouchers are already on the disk.
  useUnsavedWork('counter', state.rows.length > 0)
  useServiceFlag(!isIdle)
  useUploaded(rows.all, redeemed?.ids ?? NONE)
  useAllowance(branch)
  useWakeLock()
  useNewTillName(user, till, state.rows)
  const forgetTill = (removed: readonly TrayRow[]) => {
    if (removed.some((row) => row.is === 'refused' && NO_TILL.includes(row.refused.code))) forgetTillAt(branch)
  }
  const waiting = state.rows.filter((row) => row.is === 'pin')
  return (
    <CounterFrame>
      {/* Only the header stays in view, so the strips are outside of it. */}
      <CounterHeader user={user} till={till} />
      <AnnouncementRegion />
      <TrayAnnouncements rows={state.rows} rescan={state.rescan} redeemed={redeemed} />
      <StorageNotice className="px-4 pt-4" />
      {/* While a verdict is shown or about to be, it replaces the upload strips. */}
      <UploadStrips {...rows} {...((redeemed || state.isActing) && { uploading: [], atRisk: [], voiding: [] })} />
      {/* Between customers only. The code is asked for at once, the password after the first customer. */}
      {isIdle && (
        <>
          {hasServed && <PasswordStrip onChange={() => setChangingPassword(true)} />}
          {onCode && <CodeStrip onCode={onCode} />}
        </>
      )}
      {/* The dialog replaces the tray, whose camera would read a voucher behind the dialog. */}
      {isChangingPassword ? (
        <ChangePasswordDialog open onClose={() => setChangingPassword(false)} />
      ) : redeemed ? (
        <RedeemedStage
          key={redeemed.ids.join()}
          redeemed={redeemed}
          branch={user.branch_name ?? ''}
          onNext={() => tray.closeVerdict()}
        />
      ) : waiting.length > 0 && !isChecking(state) ? (
        <PinStage
          serials={waiting.map(({ serial }) => serial)}
          problem={waiting.find(({ problem }) => problem)?.problem}
          onPin={(pin) => void tray.enterPin(pin)}
          onCancel={() => tray.cancelPin()}
        />
      ) : (
        <>
          <TrayStage tray={tray} state={state} onScan={scan} onRemove={forgetTill} />
          <DayBar
            user={user}
            myDay={myDay}
            inHand={!isIdle}
            isNew={!rows.all.some(({ owner }) => owner === user.guid)}
          />
        </>
      )}
    </CounterFrame>
  )
}

const NONE: readonly string[] = []

/** Refusals of a device that is not a till of the branch. Once the cashier has read the refusal, the device is set up again. */
const NO_TILL = ['TILL_UNKNOWN', 'TILL_REVOKED', 'TILL_NOT_ENROLLED']

/** Stores a new name of this till. If its manager renames it, the name comes with the next hold. */
function useNewTillName({ branch_guid }: User, till: string, rows: readonly TrayRow[]): void {
  const newest = rows.findLast((row) => row.is === 'good')
  const heldBy = newest?.is === 'good' ? newest.held.hold?.till : undefined
  useEffect(() => {
    if (heldBy !== undefined && heldBy !== till && branch_guid) storeTillName(branch_guid, heldBy)
  }, [heldBy, till, branch_guid])
}

/** Tells other parts of the app that a customer is being served, so that they ask nothing until the counter is idle. */
function useServiceFlag(isUnderWay: boolean): void {
  useEffect(() => {
    service.isUnderWay = isUnderWay
    return () => void (service.isUnderWay = false)
  }, [isUnderWay])
}

/**
 * Reads whether a voucher needs the branch's PIN (rule 6.2), and a till a manager's code. Until the rules are known, the server
 * refuses what they forbid.
 */
function useCounterRules(owner: string) {
  const { data } = useCachedRead(owner, 'account.my_info', myInfo.answer, (signal) => call(myInfo, { signal }))
  return data?.counter
}

/** Keeps the allowance up to date: only an enrolled till may accept vouchers without a check. */
function useAllowance(branch: string): void {
  const isEnrolled = useSnapshot(tillDevice).enrolled.includes(branch)
  useEffect(() => (isEnrolled ? keepAllowanceFresh(ALLOWANCE) : undefined), [branch, isEnrolled])
}

const ALLOWANCE: Parameters<typeof keepAllowanceFresh>[0] = {
  ask: (body) => call(askAllowance, { body }).catch(() => undefined),
  refresh: (list) => refreshReferenceList('', list),
}

/** Keeps the screen on between customers. The browser releases the lock of a hidden page, so a visible page requests a new lock. */
function useWakeLock(): void {
  const visible = usePageVisible()
  useEffect(() => {
    if (!visible || !('wakeLock' in navigator)) return undefined
    // The browser may refuse the lock, for example when the battery is low.
    const lock = navigator.wakeLock.request('screen').catch(() => undefined)
    return () => void lock.then((given) => given?.release())
  }, [visible])
}

interface DayBarProps {
  user: User
  myDay: MyDayNow
  /** True while a customer is being served. */
  inHand: boolean
  /** True when this device has no redemptions of this cashier yet. */
  isNew: boolean
}

let shownCents = Infinity

/** Shows the total of My day, and which tills it includes. Works offline. */
function DayBar({ user, myDay, inHand, isNew }: DayBarProps) {
  const redeemed = myDay.entries.filter(isRedeemed)
  const risky = myDay.entries.filter(({ state }) => state === 'At risk')
  const cents = sumOfEntries(redeemed)
  // The bar is away while a verdict is shown. A total that has grown meanwhile rolls in.
  const [hasGrown] = useState(() => cents > shownCents)
  useEffect(() => void (shownCents = cents), [cents])
  const last = myDay.entries.find((entry) => redeemed.includes(entry) || risky.includes(entry))
  return (
    <CounterBar labelledBy="today">
      <span className="phone:hidden">
        <Icon drawing={ICONS.list} />
      </span>
      <div className="grid leading-[1.25]">
        <h2 id="today">
          <span>{`Today ${pluralize(redeemed.length, 'voucher')}, `}</span>
          <span className={hasGrown ? 'inline-block animate-roll' : undefined}>
            <Money cents={cents} />
          </span>
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
          {isNew && !last && !inHand && <PractiseLink />}
        </div>
      </div>
      <Actions className="ml-auto max-[30.0625em]:grid">
        <Link to="/redeem" search={{ view: 'day' }} className={buttonClass()}>
          My day
        </Link>
      </Actions>
    </CounterBar>
  )
}
