import { useEffect, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { lineTitle } from '../../blocks/connectivity/connectivityTitle.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'

/** A line that turns twice within this time has not turned (cases 33, decision 27). */
const SETTLES_MS = 1_500

/** The one place that tells a screen reader of the line, once a change, on every screen. Silent while it was never bad. */
export function LineNews() {
  const { verdict, captive } = useSnapshot(connectivity)
  const title = verdict === 'online' ? 'Back online' : lineTitle({ verdict, captive })
  const [said, setSaid] = useState('')
  useEffect(() => {
    const timer = setTimeout(
      () => setSaid((before) => (before === '' && verdict === 'online' ? '' : `${title}.`)),
      SETTLES_MS,
    )
    return () => clearTimeout(timer)
  }, [title, verdict])
  return (
    <div className="hide" role="status" data-line={verdict}>
      {said}
    </div>
  )
}
