import { useEffect, useRef } from 'react'
import { accountApi } from '../../../api/portal.ts'
import { formatCountdown, WARNING_SECONDS } from '../../../domain/idleLimit.ts'
import { signOut } from '../../../blocks/accounts/signOut.ts'
import { signedOut } from '../../../state/auth.ts'
import { holdActions, noteAction } from '../../../state/lastAction.ts'
import { showToast } from '../../../state/toasts.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { ProgressBar } from '../../../ui/ProgressBar.tsx'
import { useIdleState } from '../../session-timeout/useIdle.ts'

/** Asks before the idle limit, and ends the session at it (spec §2, session-timeout dialog). One deadline for every tab. */
export function SessionTimeout() {
  const idle = useIdleState()
  const over = idle.is === 'over'
  useEffect(() => {
    if (over) endIdleSession()
  }, [over])
  return idle.is === 'warning' ? <IdleWarning secondsLeft={idle.secondsLeft} /> : null
}

function IdleWarning({ secondsLeft }: { secondsLeft: number }) {
  const stayButton = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    holdActions(true)
    return () => holdActions(false)
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
          <Button onClick={() => void signOut()}>Logout</Button>
          <Button ref={stayButton} variant="primary" onClick={stayLoggedIn}>
            Stay logged in
          </Button>
        </>
      }
    >
      <p>
        You will be logged out in <b className="strong">{formatCountdown(secondsLeft)}</b> because nothing was done for
        a while.
      </p>
      <ProgressBar label="Time left" value={secondsLeft / WARNING_SECONDS} />
      <p className="hide" role="status">
        {idleAnnouncement(secondsLeft)}
      </p>
    </Dialog>
  )
}

/** Read out at 2:00, 1:00 and 0:30 only: a countdown spoken every second drowns everything else. */
function idleAnnouncement(secondsLeft: number): string {
  if (secondsLeft > 60) return 'You will be logged out in 2 minutes.'
  return secondsLeft > 30 ? 'You will be logged out in 1 minute.' : 'You will be logged out in 30 seconds.'
}

/** Every tab sees the new deadline; the server hears of it with the next call, so one is made. */
function stayLoggedIn() {
  noteAction()
  accountApi.myInfo().catch(() => undefined)
}

/** Nobody is there: everything locks, and what waits for its owner stays on the device. */
function endIdleSession() {
  accountApi.logout().catch(() => undefined)
  signedOut()
  showToast({ tone: 'info', text: 'You were logged out because nothing was done for a while.', stays: true })
}
