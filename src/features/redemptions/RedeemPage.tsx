import { Link } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../api/call.ts'
import { StorageNotice } from '../../blocks/devices/StorageNotice.tsx'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { useWedgeScanner } from '../../blocks/vouchers/useWedgeScanner.ts'
import { myInfo, type User } from '../../contract/accounts/account.ts'
import { formatCents } from '../../domain/money.ts'
import { formatTime } from '../../domain/singaporeTime.ts'
import { useCachedRead } from '../../offline/reads/useCachedRead.ts'
import { sumCents, type TillRow } from '../../offline/store/till.ts'
import { auth } from '../../state/auth.ts'
import { tillDevice } from '../../state/counter.ts'
import { buttonClass } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { BillBar, StartBill } from './BillBar.tsx'
import { CounterHeader } from './CounterHeader.tsx'
import { isBetweenCustomers } from './counterState.ts'
import { MyDay } from './day/MyDay.tsx'
import { NameTill } from './NameTill.tsx'
import { CounterStage } from './stages/CounterStage.tsx'
import { UploadStrips } from './UploadStrips.tsx'
import { useCounter } from './useCounter.ts'
import { redeemedAt, useTillRows } from './useTillRows.ts'

export type CounterView = 'day' | undefined

/** The counter: full screen. A device is named before its first voucher, for holds and receipts carry the name. */
export function RedeemPage({ view }: { view: CounterView }) {
  usePageTitle(view === 'day' ? 'My day' : 'Redeem')
  const { user } = useSnapshot(auth)
  const device = useSnapshot(tillDevice)
  // Logged out a moment ago, and /login on its way: the counter has nobody to speak of.
  if (!user) return null
  const till = device.names[user.branch_guid ?? '']
  if (view === 'day') return <MyDay {...{ user, till }} />
  if (till === undefined) return <NameTill user={user} />
  return <Counter {...{ user, till }} device={device.guid} />
}

interface Props {
  user: User
  till: string
  device: string
}

function Counter({ user, till, device }: Props) {
  const needsPin = usePinRequired(user.guid)
  const counter = useCounter({ owner: user.guid, owner_name: user.login_name, till: device }, needsPin)
  const rows = useTillRows(user.guid)
  const { state, check } = counter
  // A verdict is read before the next scan replaces it only by choice; during a step the scan is for nobody.
  useWedgeScanner((serial) => (isBetweenCustomers(state) || state.at === 'taken') && void check(serial))
  // What was taken is on the disk: an update takes nothing from anyone.
  useUnsavedWork('counter', !isBetweenCustomers(state) && state.at !== 'taken')
  useWakeLock()
  return (
    <div className="counter">
      <div>
        <CounterHeader {...{ user, till }} />
        <StorageNotice className="px-4 pt-4" />
        {/* What is on the screen now says itself that it is uploading. */}
        <UploadStrips {...rows} uploading={state.at === 'taken' ? [] : rows.uploading} />
        <BillBar />
      </div>
      <CounterStage counter={counter} branch={user.branch_name ?? ''} foot={<DayBar today={rows.today} />} />
    </div>
  )
}

/** Whether each voucher is checked with the branch's PIN (rule 6.2). Until that is known the server says so, and it is asked. */
function usePinRequired(owner: string): boolean {
  const { data } = useCachedRead(owner, 'account.my_info', myInfo.answer, (signal) => call(myInfo, { signal }))
  return data?.counter?.pin_required ?? false
}

/** A counter that went dark has to be woken for every customer. The browser lets go when the tab is hidden; seen again, it is asked anew. */
function useWakeLock(): void {
  useEffect(() => {
    let lock: WakeLockSentinel | undefined
    let over = false
    const keepAwake = async () => {
      if (document.visibilityState !== 'visible' || !('wakeLock' in navigator)) return
      // Refused on a low battery: then the device's own setting counts.
      const given = await navigator.wakeLock.request('screen').catch(() => undefined)
      if (over) void given?.release()
      else lock = given
    }
    const seen = () => void keepAwake()
    seen()
    document.addEventListener('visibilitychange', seen)
    return () => {
      over = true
      document.removeEventListener('visibilitychange', seen)
      void lock?.release()
    }
  }, [])
}

/** What this cashier took on this device today; works without a line. */
function DayBar({ today }: { today: TillRow[] }) {
  const last = today.at(-1)
  return (
    <div className="bar">
      <Icon name="list" />
      <div className="day">
        <b className="strong">
          Today {today.length} {today.length === 1 ? 'voucher' : 'vouchers'}, {formatCents(sumCents(today))}
        </b>
        <span className="muted">
          {last
            ? `Last: ${formatCents(last.denomination_cents ?? 0)} redeemed ${formatTime(redeemedAt(last))}`
            : 'None redeemed on this device today'}
        </span>
      </div>
      <div className="actions ml-auto">
        <StartBill />
        <Link to="/redeem" search={{ view: 'day' }} className={buttonClass()}>
          My day
        </Link>
      </div>
    </div>
  )
}
