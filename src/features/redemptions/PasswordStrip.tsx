import { usePasswordDue } from '../../blocks/accounts/passwords/usePasswordDue.ts'
import { useOffline } from '../../blocks/connectivity/useOffline.ts'
import { closePasswordPrompt } from '../../state/passwordPrompt.ts'
import { Button } from '../../ui/Button.tsx'
import { Strip } from '../../ui/Strip.tsx'

/** Suggests a change of a password that is older than a year (rule 3.6). Not without a connection, which the change needs. */
export function PasswordStrip({ onChange }: { onChange: () => void }) {
  const due = usePasswordDue()
  const offline = useOffline()
  if (!due || offline) return null
  const actions = (
    <div className="actions">
      <Button onClick={onChange}>Change password</Button>
      <Button onClick={closePasswordPrompt}>Later</Button>
    </div>
  )
  return (
    <Strip icon="lock" action={actions}>
      Your password is more than one year old.
    </Strip>
  )
}
