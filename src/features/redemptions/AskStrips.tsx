// What the counter asks for between customers, and what can wait.

import { usePasswordDue } from '../../blocks/accounts/passwords/usePasswordDue.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { closePasswordPrompt } from '../../state/passwordPrompt.ts'
import { Actions, Button } from '../../ui/Button.tsx'
import { ICONS } from '../../ui/icons.tsx'
import { Strip } from '../../ui/Strip.tsx'
import { usePutOffCode } from './knownTill.ts'

/** Suggests a change of a password that is older than a year (rule 3.6). Not without a connection, which the change needs. */
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
 * A till that nobody has enrolled works, and whoever logs in there is asked for a code until somebody puts that off for the day. Not
 * without a connection, which a code needs.
 */
export function CodeStrip({ onCode }: { onCode: () => void }) {
  const offline = useOffline()
  const putOff = usePutOffCode()
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
      This till is not enrolled. Your manager makes a code.
    </Strip>
  )
}
