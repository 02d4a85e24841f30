import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { connectivityTitle } from '../../blocks/connectivity/connectivityTitle.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'

/** A line that turns twice within this time has not turned (cases 33, decision 27). */
const CONNECTIVITY_SETTLES_MS = 1_500

/** The one place that tells a screen reader of the line, once a change, on every screen. Silent while it was never bad. */
export function ConnectivityAnnouncer() {
  const { verdict, captive } = useSnapshot(connectivity)
  const title = verdict === 'online' ? 'Back online' : connectivityTitle({ verdict, captive })
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(
      () => setSaid((before) => (before === '' && verdict === 'online' ? '' : `${title}.`)),
      CONNECTIVITY_SETTLES_MS,
    )
    return () => clearTimeout(timer)
  }, [title, verdict])
  return (
    <div className="hide" role="status" data-line={verdict}>
      {said}
    </div>
  )
}
