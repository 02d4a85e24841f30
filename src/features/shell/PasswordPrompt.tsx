import { Link, useLocation } from '@tanstack/react-router'
import { useSnapshot } from 'valtio/react'
import { auth } from '../../state/auth.ts'
import { closePasswordPrompt, passwordPrompt } from '../../state/passwordPrompt.ts'
import { Button } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Notice } from '../../ui/Notice.tsx'

/** Spec §9: a password older than a year prompts a change, and blocks nothing. Closed until the next login. */
export function PasswordAgeNotice() {
  const { session } = useSnapshot(auth)
  const { dueIn, closedIn } = useSnapshot(passwordPrompt)
  const onProfile = useLocation({ select: ({ pathname }) => pathname === '/profile' })
  if (!session || dueIn !== session.guid || closedIn === session.guid) return null
  const close = () => {
    closePasswordPrompt()
    document.getElementById('main')?.focus()
  }
  return (
    <Notice
      tone="warn"
      icon="lock"
      role="status"
      action={
        <Button variant="icon" aria-label="Close" onClick={close}>
          <Icon name="x" small />
        </Button>
      }
    >
      <p>Your password is more than one year old. {!onProfile && <Link to="/profile">Change now</Link>}</p>
    </Notice>
  )
}
