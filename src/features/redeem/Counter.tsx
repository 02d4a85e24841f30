import { StorageNotice } from '../../blocks/devices/StorageNotice.tsx'
import { useUnsavedWork } from '../../blocks/drafts/useUnsavedWork.ts'
import { useWedgeScanner } from '../../blocks/vouchers/useWedgeScanner.ts'
import type { User } from '../../contract/accounts/account.ts'
import { BillBar } from '../redemptions/BillBar.tsx'
import { CounterHeader } from '../redemptions/CounterHeader.tsx'
import { CounterStage } from '../redemptions/stages/CounterStage.tsx'
import { isBetweenCustomers } from '../redemptions/counterState.ts'
import { DayBar } from './DayBar.tsx'
import { UploadStrips } from '../redemptions/UploadStrips.tsx'
import { useCounter } from '../redemptions/useCounter.ts'
import { usePinRequired } from './usePinRequired.ts'
import { useTillRows } from '../redemptions/useTillRows.ts'
import { useWakeLock } from './useWakeLock.ts'

interface Props {
  user: User
  till: string
  device: string
}

export function Counter({ user, till, device }: Props) {
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
