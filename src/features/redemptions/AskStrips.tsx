// The strips that ask the cashier for something between customers.

import { usePasswordDue } from '../../blocks/accounts/passwords/usePasswordDue.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { closePasswordPrompt } from '../../state/passwordPrompt.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Strip } from '../../ui/Strip.tsx'
import { usePostponeCode } from './tillEnrolment.ts'

/** Suggests changing a password that is older than a year (rule 3.6). Hidden offline, because the change needs a connection. */
export function PasswordStrip({ onChange }: { onChange: () => void }) {
  const due = usePasswordDue()
  const offline = useOffline()
  if (!due || offline) return null
  const actions = (
    <Actions>
      <Button className="text-base" onClick={onChange}>
        Change password
      </Button>
      <Button className="text-base" onClick={closePasswordPrompt}>
        Later
      </Button>
    </Actions>
  )
  return (
    <Strip icon={ICONS.lock} action={actions}>
      Your password is more than one year old.
    </Strip>
  )
}

/**
 * Asks the cashier for a code on a till that is not enrolled, until the cashier puts it off for the day. Hidden offline, because
 * enrolling needs a connection.
 */
export function CodeStrip({ onCode }: { onCode: () => void }) {
  const offline = useOffline()
  const putOff = usePostponeCode()
  if (offline) return null
  const actions = (
    <Actions>
      <Button className="text-base" onClick={onCode}>
        Enter code
      </Button>
      <Button className="text-base" onClick={putOff}>
        Not now
      </Button>
    </Actions>
  )
  return (
    <Strip icon={ICONS.lock} action={actions}>
      This till is not enrolled. Ask your manager for a code.
    </Strip>
  )
}
