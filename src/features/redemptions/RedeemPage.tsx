import { useSnapshot } from 'valtio/react'
import { usePageTitle } from '../../blocks/page/usePageTitle.ts'
import { auth } from '../../state/auth.ts'
import { tillDevice } from '../../state/tillDevice.ts'
import { Counter } from '../redeem/Counter.tsx'
import { MyDay } from './day/MyDay.tsx'
import { NameTill } from './NameTill.tsx'

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
