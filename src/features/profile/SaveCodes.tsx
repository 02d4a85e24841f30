import { useState } from 'react'
import { RecoveryCodes } from '../../blocks/accounts/mfa/RecoveryCodes.tsx'
import { useUser } from '../../blocks/accounts/useUser.ts'
import { Button } from '../../ui/Button.tsx'

/** The last stage of a dialog: it ends when the codes are in safety. */
export function SaveCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const { login_name } = useUser()
  const [saved, setSaved] = useState(false)
  return (
    <div className="form">
      <RecoveryCodes codes={codes} loginName={login_name} saved={saved} onSaved={setSaved} />
      <div className="actions">
        <Button variant="primary" aria-disabled={saved ? undefined : true} onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  )
}
