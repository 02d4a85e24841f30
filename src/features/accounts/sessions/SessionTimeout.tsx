import { useEffect, useRef, useState } from 'react'
import { useSnapshot } from 'valtio/react'
import { call } from '../../../api/call.ts'
import { logOut } from '../../../blocks/accounts/logOut.ts'
import { logout, myInfo } from '../../../contract/accounts/account.ts'
import { idleState, WARNING_SECONDS, type IdleState } from '../../../domain/accounts/sessions.ts'
import { formatCountdown } from '../../../domain/quantities.ts'
import { auth } from '../../../state/auth.ts'
import { endIdle, pauseActions, lastActionAt, noteAction } from '../../../state/lastAction.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { ProgressBar } from '../../../ui/ProgressBar.tsx'

/** Warns before the idle limit, and ends the session at it (rule 4.7). All tabs share one deadline. */
export function SessionTimeout() {
  const idle = useIdleState()
  const isOver = idle.is === 'over'
  useEffect(() => {
    if (isOver) endIdleSession()
  }, [isOver])
  return idle.is === 'warning' ? <IdleWarning secondsLeft={idle.secondsLeft} /> : null
}

function IdleWarning({ secondsLeft }: { secondsLeft: number }) {
  const stayButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    pauseActions(true)
    return () => pauseActions(false)
  }, [])
  return (
    <Dialog
      open
      alert
      title="Are you still there?"
      onClose={stayLoggedIn}
      initialFocus={stayButton}
      actions={
        <>
          <Button onClick={() => void logOut()}>Logout</Button>
          <Button ref={stayButton} variant="primary" onClick={stayLoggedIn}>
            Stay logged in
          </Button>
        </>
      }
    >
      <p>
        You will be logged out in <b className="font-strong">{formatCountdown(secondsLeft)}</b> because you have been
        inactive.
      </p>
      <ProgressBar label="Time left" value={secondsLeft / WARNING_SECONDS} />
      <p className="sr-only" role="status">
        {idleAnnouncement(secondsLeft)}
      </p>
    </Dialog>
  )
}

/** Returns a text that changes only at 2:00, 1:00 and 0:30, because a screen reader speaks every change. */
function idleAnnouncement(secondsLeft: number): string {
  if (secondsLeft > 60) return 'You will be logged out in 2 minutes.'
  return secondsLeft > 30 ? 'You will be logged out in 1 minute.' : 'You will be logged out in 30 seconds.'
}

/** Moves the deadline in every tab. The server extends the session with any call, so this makes one. */
function stayLoggedIn() {
  noteAction()
  call(myInfo).catch(() => undefined)
}

/**
 * Ends the session at the idle limit. Unsent data stays on this device for its owner. If the server has just ended the
 * session, there is nothing left to end.
 */
function endIdleSession() {
  if (!auth.session) return
  call(logout).catch(() => undefined)
  endIdle()
}

const CHECK_IDLE_EVERY_MS = 1_000

const ACTIVE_STATE: IdleState = { is: 'active' }

/**
 * Returns how near the logged-in person is to the idle limit, by the wall clock. Timers stop while a device sleeps, so
 * the check also runs when the page comes back into view.
 */
export function useIdleState(): IdleState {
  const { session } = useSnapshot(auth)
  const limit = session?.idle_seconds
  const [state, setState] = useState<IdleState>(ACTIVE_STATE)
  useEffect(() => {
    if (limit === undefined) return undefined
    const check = () => setState((now) => sameWhileActive(now, idleState(lastActionAt(), limit, Date.now())))
    check()
    const timer = setInterval(check, CHECK_IDLE_EVERY_MS)
    document.addEventListener('visibilitychange', check)
    addEventListener('pageshow', check)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', check)
      removeEventListener('pageshow', check)
      setState(ACTIVE_STATE)
    }
  }, [limit, session?.guid])
  return state
}

/** Keeps the same object while the person is active, so that nothing is redrawn every second. */
const sameWhileActive = (now: IdleState, next: IdleState) => (now.is === 'active' && next.is === 'active' ? now : next)
