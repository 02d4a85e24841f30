import { useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { isDown } from '../../domain/connectivity.ts'
import { formatAsOf } from '../../domain/singaporeTime.ts'
import { connectivity } from '../../offline/connectivity/connectivity.ts'
import { checkConnectivity } from '../../offline/connectivity/watchConnectivity.ts'
import { Button } from '../../ui/Button.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Strip } from '../../ui/Strip.tsx'
import { asksForLogin, connectivityTitle } from './connectivityTitle.ts'
import { WifiLoginLink } from './WifiLogin.tsx'

/** Shows the state of the connection, since when, what still works, and a button to check again. Shows nothing while all is well. */
export function ConnectivityBanner({ offlineNote }: { offlineNote: string | undefined }) {
  const state = useSnapshot(connectivity)
  if (state.verdict === 'online') return null
  const down = isDown(state.verdict)
  return (
    <Strip
      icon={down ? ICONS.offline : ICONS.clock}
      label="Connection"
      action={
        <>
          <TryNow key={state.since} />
          {asksForLogin(state) && <WifiLoginLink />}
        </>
      }
    >
      <b className="font-strong">{`${connectivityTitle(state)}.`}</b>{' '}
      {down ? <Outage {...state} offlineNote={offlineNote} /> : <Slow {...state} />}
    </Strip>
  )
}

function Slow({ since }: { since: number }) {
  return <span>{`Since ${asOf(since)}. Everything works, it only takes longer.`}</span>
}

interface OutageProps {
  since: number
  lastContactAt: number
  offlineNote: string | undefined
}

function Outage({ since, lastContactAt, offlineNote }: OutageProps) {
  const last = lastContactAt || undefined
  return (
    <>
      <span>{last === undefined ? `Since ${asOf(since)}.` : `Last answer ${asOf(last)}.`}</span>
      {offlineNote && <span>{` ${offlineNote}`}</span>}
    </>
  )
}

/** The button to check the connection. Every press gets an answer, even if nothing has changed. */
function TryNow() {
  const [state, setState] = useState<'rest' | 'asking' | 'in vain'>('rest')
  const ask = async () => {
    setState('asking')
    await checkConnectivity()
    setState('in vain')
  }
  return (
    <>
      <span className="ml-auto whitespace-nowrap text-muted" role="status">
        {state === 'in vain' && 'Still no change.'}
      </span>
      <Button className={state === 'in vain' ? '' : 'ml-auto'} busy={state === 'asking'} onClick={() => void ask()}>
        Try now
      </Button>
    </>
  )
}

const asOf = (at: number) => formatAsOf(new Date(at), new Date())
