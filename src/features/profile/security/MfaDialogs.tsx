import { useRef, useState } from 'react'
import { ApiError } from '../../../api/ApiError.ts'
import { codeFailure } from '../../../blocks/codeFailure.ts'
import { MfaEnrolment, type MfaSetup } from '../../../blocks/accounts/mfa/MfaEnrolment.tsx'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/overlay/Dialog.tsx'
import { ConfirmPasswordAndCode, ConfirmPassword } from './ConfirmIdentity.tsx'
import { SaveCodes } from '../SaveCodes.tsx'
import { enableMfa } from './mfa.ts'

interface MfaDeviceDialogProps {
  /** There is a device already, and it answers for the new one. */
  enrolled: boolean
  onClose: () => void
  /** A new device is in force. */
  onChanged: () => void
}

/** One dialog in three stages: who you are, the new app, its recovery codes. */
export function MfaDeviceDialog({ enrolled, onClose, onChanged }: MfaDeviceDialogProps) {
  const first = useRef<HTMLInputElement>(null)
  const [setup, setSetup] = useState<MfaSetup>()
  const [tooLate, setTooLate] = useState('')
  const [codes, setCodes] = useState<readonly string[]>()
  const Confirm = enrolled ? ConfirmPasswordAndCode : ConfirmPassword

  const enable = (current: MfaSetup) => (code: string) =>
    enableMfa(current.setup, code).then(
      (made) => {
        setCodes(made)
        onChanged()
      },
      (error: unknown) => {
        if (error instanceof ApiError && error.code === 'CHALLENGE_EXPIRED') {
          setTooLate('This took too long or failed too often. Nothing was changed.')
          setSetup(undefined)
        }
        return codeFailure(error)
      },
    )

  const title = codes ? 'Save your recovery codes' : enrolled ? 'Change device' : 'Set up your authenticator app'
  return (
    // The codes are shown once: Escape must not lose them.
    <Dialog open holdsForm title={title} initialFocus={first} onClose={() => codes || onClose()}>
      {codes ? (
        <SaveCodes codes={codes} onDone={onClose} />
      ) : setup ? (
        <MfaEnrolment
          setup={setup}
          heading="h3"
          focused
          submit={enable(setup)}
          actions={(state) => (
            <div className="actions">
              <Button onClick={onClose}>Cancel</Button>
              <Button type="submit" variant="primary" {...state}>
                Verify
              </Button>
            </div>
          )}
        />
      ) : (
        <Confirm first={first} notice={tooLate} onConfirmed={setSetup} onClose={onClose} />
      )}
    </Dialog>
  )
}
