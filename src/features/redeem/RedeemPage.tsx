import { useUnsavedWork } from '../../blocks/useUnsavedWork.ts'
import { useUser } from '../../blocks/useUser.ts'
import { usePageTitle } from '../../blocks/usePageTitle.ts'
import { useWedgeScanner } from '../../blocks/useWedgeScanner.ts'
import { CounterHeader } from './CounterHeader.tsx'
import { CounterStage } from './CounterStage.tsx'
import { LateReceipts } from './LateReceipts.tsx'
import { useCounter } from './useCounter.ts'
import { useTillRows } from './useTillRows.ts'

/** The counter: full screen, one voucher at a time. */
export function RedeemPage() {
  usePageTitle('Redeem')
  const user = useUser()
  const counter = useCounter(user.guid)
  const till = useTillRows(user.guid)
  useWedgeScanner((serial) => {
    // A verdict is read before the next scan replaces it only by choice; during a step the scan is for nobody.
    if (counter.state.at === 'ready' || counter.state.at === 'redeemed' || counter.state.at === 'refused') {
      void counter.verify(serial)
    }
  })
  const inHand = counter.state.at !== 'ready' && counter.state.at !== 'redeemed' && counter.state.at !== 'refused'
  useUnsavedWork('counter', inHand)
  return (
    <div className="counter">
      <div>
        <CounterHeader user={user} />
        <LateReceipts rows={till.unseen} unsettled={till.unsettled} waitingHere={counter.state.at === 'checking'} />
      </div>
      <CounterStage counter={counter} today={till.today} />
    </div>
  )
}
